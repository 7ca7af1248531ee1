import AuctionRules
import Wire

/// How much of a saleroom one connection, or one address, may take from the others.
///
/// Nil is no limit. What is said of an address holds for each IPv4 address and each IPv6 network of
/// 64 bits; the networks around it may do 8 times as much, IPv4 of 24 and IPv6 of 48 bits, and IPv6 of
/// 32 bits 64 times.
public struct Limits: Equatable, Sendable {
    /// How many may be connected.
    public var connections: Int? = 10_000
    /// How many more may be from the Unix socket, or prove a token with their first line.
    public var reserve = 64
    /// How many of them from one address; this machine is exempt.
    public var connectionsPerAddress: Int? = 256
    /// How many lines are heard of one connection; what is over waits until it is due.
    public var lines: TokenBucket.Rate? = TokenBucket.Rate(50, per: .seconds(1), burst: 200)
    /// How many lines are heard of one address; this machine is exempt.
    public var addressLines: TokenBucket.Rate? = TokenBucket.Rate(
        1000, per: .seconds(1), burst: 4000)
    /// How many connections may come from one address; this machine is exempt.
    public var connects: TokenBucket.Rate? = TokenBucket.Rate(
        600, per: .seconds(60), burst: 600)
    /// How many names that nobody owns one address may take.
    public var claims: TokenBucket.Rate? = TokenBucket.Rate(20, per: .seconds(60), burst: 20)
    /// How often one name may be opened by its token; all names that were opened shortly before may
    /// be opened ten times as often from one address.
    public var openings: TokenBucket.Rate? = TokenBucket.Rate(60, per: .seconds(60), burst: 60)
    /// How long the owner of a name may be without a connection before everybody is told `LEFT`; one
    /// who comes back before that is no news.
    public var absence: Duration = .seconds(3)
    /// How many names may be owned; one more makes the name be free that was unused for longest, if
    /// that is a day at least.
    public var names: Int? = 100_000
    /// After how long a name is free that nobody has used.
    public var nameAge: Duration? = .seconds(90 * 86_400)
    /// How long a name stays out of the room after the auctioneer sent its bidder away.
    public var kick: Duration = .seconds(600)
    /// How many wrong tokens one address may say.
    public var wrongTokens: TokenBucket.Rate? = TokenBucket.Rate(5, per: .seconds(60), burst: 5)
    /// How many wrong tokens in a row one connection may say: with the last it is closed.
    public var wrongTokensInRow: Int? = 10
    /// How many replies may wait for one connection that has not been sent those before; with more it
    /// is not heard until it has, and no part of an answer is longer.
    public var answerLines = 128
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
