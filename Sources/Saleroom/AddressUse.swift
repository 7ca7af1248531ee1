/// What one address has of what it may have, while that is anything.
struct AddressUse {
    /// How many connections, where they are counted.
    var connections = 0
    /// The names it may take that nobody owns.
    var claims = TokenBucket()
    /// The wrong tokens it may say.
    var wrongTokens = TokenBucket()
    /// The names it may open again soon after they were opened.
    var openings = TokenBucket()
    /// Whether the buckets may not be full, so that it is looked at when they should be.
    var isFilling = false
}
