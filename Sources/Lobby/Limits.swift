import AuctionRules
import Wire

/// How much of a saleroom one connection, or one address, may take from the others.
///
/// Nil means no limit. An address is an IPv4 address or an IPv6 network of 64 bits. Wider networks
/// have larger limits: 8 times as much for 24 bits of IPv4 and 48 bits of IPv6, 64 times for 32
/// bits of IPv6.
public struct Limits: Equatable, Sendable {
    /// How many may be connected.
    public var connections: Int? = 10_000
    /// How many more may come from the Unix socket, or prove a token first.
    ///
    /// A quarter, rounded up, is for the Unix socket alone.
    public var reserve = 64
    /// How many of them from one address; this machine is exempt.
    public var connectionsPerAddress: Int? = 256
    /// How many lines are heard of one connection; what is over waits until it is due.
    public var lines: TokenBucket.Rate? = TokenBucket.Rate(50, per: .seconds(1), burst: 200)
    /// How many lines are read from one address; this machine is exempt.
    public var addressLines: TokenBucket.Rate? = TokenBucket.Rate(
        1000, per: .seconds(1), burst: 4000)
    /// How many new connections may come from one address; this machine is exempt.
    public var connects: TokenBucket.Rate? = TokenBucket.Rate(
        600, per: .seconds(60), burst: 600)
    /// How many names that nobody owns one address may take.
    public var claims: TokenBucket.Rate? = TokenBucket.Rate(20, per: .seconds(60), burst: 20)
    /// How often one name may be opened by its token.
    ///
    /// One address may open names ten times as often. A name that was not opened lately does not
    /// count.
    public var openings: TokenBucket.Rate? = TokenBucket.Rate(60, per: .seconds(60), burst: 60)
    /// How long a bidder may be without a connection before `LEFT` is sent.
    public var absence: Duration = .seconds(3)
    /// How many names may be owned.
    ///
    /// A further name replaces the one unused for longest, if that was unused for at least ten
    /// minutes.
    public var names: Int? = 100_000
    /// How long a name may be unused before it becomes free.
    public var nameAge: Duration? = .seconds(90 * 86_400)
    /// How long nobody may take a name that the auctioneer kicked.
    public var kick: Duration = .seconds(600)
    /// How many wrong tokens one address may say.
    public var wrongTokens: TokenBucket.Rate? = TokenBucket.Rate(5, per: .seconds(60), burst: 5)
    /// How many wrong tokens in a row close a connection.
    public var wrongTokensInRow: Int? = 10
    /// How many replies may wait for one connection, and the longest part of an answer.
    ///
    /// A connection with more is not read from until all of them are sent.
    public var answerLines = 128
    /// The most bytes of a line of an answer, in either format, except a lot with a long title.
    public static let answerLineBytes = 256
    /// The most bytes of the replies that may wait for one connection.
    var answerBytes: Int { answerLines * Self.answerLineBytes }
    /// The most bytes of a line with its end.
    public var lineBytes = LineFramer.protocolLimit
    /// How long a line may be under way.
    public var lineTime: Duration? = .seconds(30)

    /// Makes the limits that hold where nothing else is chosen.
    public init() {}

    /// No limit but that of a line's bytes.
    public static let none: Limits = {
        var limits = Limits()
        (limits.connections, limits.connectionsPerAddress) = (nil, nil)
        (limits.lines, limits.claims, limits.wrongTokens) = (nil, nil, nil)
        (limits.openings, limits.addressLines, limits.connects) = (nil, nil, nil)
        (limits.wrongTokensInRow, limits.reserve) = (nil, 0)
        (limits.names, limits.nameAge) = (nil, nil)
        (limits.absence, limits.kick) = (.zero, .zero)
        limits.lineTime = nil
        return limits
    }()
}
