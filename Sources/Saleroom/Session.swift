import AuctionRules
import Wire

/// What a room knows of one connection.
struct Session {
    /// Where it comes from.
    let address: PeerAddress

    /// When it came.
    let joined: Instant

    /// Whether it has said no line yet.
    var isSilent = true

    /// What kind of place a connection has.
    enum Place {
        /// One of those that `Limits.connections` has.
        case regular
        /// One of those in reserve.
        case reserved
    }

    /// The place that it has.
    var place = Place.regular

    /// Whether it has a place in reserve, and is yet to prove a token.
    var isOnTrial = false

    /// When it may take the name that was refused for now; nil where none was.
    var nameDue: Instant?

    /// What it is called; nil for somebody who only watches, as yet.
    var bidder: Bidder?

    /// Whether it has proved to be the auctioneer's.
    var isAuctioneer = false

    /// Whether it was greeted, and hears the news.
    var isAdmitted = false

    /// What its first bytes show: nothing is heard of a TLS client.
    var opening = TLSRefusal.Opening.empty

    /// Cuts what it says into lines.
    var framer: LineFramer

    /// The lines of it that may be heard.
    var lines = TokenBucket()

    /// The lines that its address has been charged for in advance, as it has to wait for them.
    var reservedLines = 0

    /// When its address has these lines; nil for at once.
    var linesDue: Instant?

    /// How many wrong tokens it has said since the last right one.
    var wrongTokens = 0

    /// How many replies it was given since it was known to have been sent all.
    var unconfirmed: Int32 = 0

    /// Since when the line that is under way has been, if one is.
    var lineSince = Instant(nanoseconds: 0)

    /// Whether it is looked at when such a line would be too old.
    var isLineChecked = false
}

/// A name that somebody owns.
struct Claim {
    /// The name as it was first written.
    let bidder: Bidder

    /// What proves it.
    let token: Token

    /// The connection that has the name now.
    var holder: SessionID?

    /// Whether everybody was told that the owner joined, and not yet that the owner left.
    var isPresent = false

    /// Whether a bid was accepted under the name, so that it stays owned without a connection.
    var hasBid = false

    /// The number of the lot under which a bid was accepted last; 0 for none that is known.
    var lot = 0

    /// When its owner left last, in milliseconds since 1970.
    var used: Int64 = 0

    /// How often the name may be opened.
    var openings = TokenBucket()

    /// Until when the owner counts as present without a connection.
    var awayUntil = Instant(nanoseconds: 0)

    /// Whether it is looked at when the owner may have been away for too long.
    var isAwaited = false

    /// The number under which it stands among those present, or among those who are not.
    var number = 0

    init(bidder: Bidder, token: Token) {
        (self.bidder, self.token) = (bidder, token)
    }
}
