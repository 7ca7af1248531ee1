import Auction
import Basics
import Wire

/// The limits on what one connection or one address may use.
///
/// Nil means no limit. An address is an IPv4 address or an IPv6 network of 64 bits. Wider networks
/// have larger limits: 8 times as much for 24 bits of IPv4 and 48 bits of IPv6, 64 times for 32
/// bits of IPv6. Trusted networks have ten times the limits.
public struct Limits: Equatable, Sendable {
    /// The networks whose addresses have ten times the limits of an address.
    public var trustedNetworks = TrustedNetworks([])
    /// The number of connections.
    public var connections: Int? = 10_000
    /// The number of further connections that come from the Unix socket or prove a token first.
    ///
    /// A quarter, rounded up, is for the Unix socket alone.
    public var reserve = 64
    /// The number of connections from one address; this machine is exempt.
    public var connectionsPerAddress: Int? = 256
    /// The lines of one connection that are handled; further lines wait until they are due.
    public var lines: TokenBucket.Rate?
    /// The lines from one address that are handled; this machine is exempt.
    public var addressLines: TokenBucket.Rate?
    /// The bytes of the journal that the lines of one address cause; this machine is exempt.
    ///
    /// Then they wait. Enough for 40 bids a second, and for 10,000 at once; about 346 MB a day.
    public var addressJournal: TokenBucket.Rate? = TokenBucket.Rate(
        4000, per: .seconds(1), burst: 1_000_000)
    /// As `addressJournal`, for a class of a thousand that has one address.
    public static let journalOfClass = TokenBucket.Rate(
        100_000, per: .seconds(1), burst: 1_000_000)
    /// The new connections from one address; this machine is exempt.
    public var connects: TokenBucket.Rate?
    /// The new names that one address may take.
    public var nameUses: TokenBucket.Rate?
    /// The uses of one name by its token, and its moves to other rooms.
    ///
    /// One address may open names ten times as often. A name that was not opened lately does not
    /// count.
    public var openings: TokenBucket.Rate?
    /// The names and rooms that one address may have a node claim among several.
    ///
    /// Each claim stays in the stream, also one that is lost, or for which nobody waits any more.
    public var claims: TokenBucket.Rate?
    /// How long the greeting waits for the first bytes, which show whether the client speaks HTTP.
    ///
    /// Long enough for a browser on a slow machine, or for one packet that is retransmitted.
    public var greetingDelay: Duration = .milliseconds(300)
    /// How long a bidder may be without a connection before `LEFT` is sent.
    public var absence: Duration = .seconds(3)
    /// The number of owned names in all rooms together.
    ///
    /// A further name replaces the one unused for longest, if that was unused for at least ten
    /// minutes. A room that a client has opened has at most 1,000, whatever this limit is.
    public var names: Int? = 100_000
    /// The rate of what each bidder sends to everybody; a reaction costs 1 token.
    static let messages = TokenBucket.Rate(15, per: .seconds(10), burst: 15)
    /// The tokens that a message or a display name costs.
    static let messageCost = 3
    /// How long a name must have been unused to make room for a new one: ten minutes.
    ///
    /// Longer than a phone, a router or a client needs to come back, so that nobody loses a name
    /// during a short absence. No longer, because somebody with many networks can take all names,
    /// and newcomers then wait this long.
    static let unusedForNewName = Duration.seconds(600)
    /// How long a name may be unused before it becomes free.
    public var nameAge: Duration? = .seconds(90 * 86_400)
    /// How long a kicked name may not be taken.
    public var kick: Duration = .seconds(600)
    /// The most rooms, `main` included; with 1 nobody can open a room.
    public var rooms = 100
    /// The most open rooms that were opened from one address; nil for no limit.
    ///
    /// The Unix socket is exempt.
    public var roomsPerAddress: Int? = 5
    /// The time without anybody in a room after which the room ends; nil for never.
    public var roomIdle: Duration? = .seconds(600)
    /// The wrong tokens that one address may send.
    public var wrongTokens: TokenBucket.Rate?
    /// The number of wrong tokens in a row that closes a connection.
    public var wrongTokensInRow: Int? = 10
    /// The number of replies that may wait for one connection, and the lines of a part of an
    /// answer.
    ///
    /// A connection with more is not read from until all of them are sent.
    public var answerLines = 128
    /// The bytes that a line of an answer is charged as, in either format.
    ///
    /// Only a line with a long text by a person has more, and a state, which is charged more.
    public static let answerLineBytes = 256
    /// The bytes that are charged for a state's line around its members, which has at most as many,
    /// including a WebSocket frame.
    package static let stateFrameBytes = 128
    /// The bytes of a usual line of the journal, without the texts that people write.
    static let journalLineBytes = 50
    /// The bytes of a bid, which has two such lines.
    static let journalBidBytes = 2 * journalLineBytes
    /// The bytes that a response with metrics is charged as.
    static let metricsBytes = 16 * 1024
    /// The maximum bytes of the replies that may wait for one connection.
    var answerBytes: Int { answerLines * Self.answerLineBytes }
    /// How long a line may be incomplete.
    public var lineTime: Duration? = .seconds(30)

    /// Creates the default limits.
    public init() {
        setLines(perSecond: 50)
        setNames(perMinute: 20)
    }

    /// Sets the rate of lines of a connection, and from it that of an address; nil for no limit.
    public mutating func setLines(perSecond count: Int?) {
        lines = count.map {
            TokenBucket.Rate(
                $0, per: .seconds(1), burst: min(4 * $0, TokenBucket.Rate.highest))
        }
        addressLines = lines?.times(20)
    }

    /// Sets the rate of new names of an address, and the rates that follow from it.
    ///
    /// Nil means no limit.
    public mutating func setNames(perMinute count: Int?) {
        func rate(_ count: Int) -> TokenBucket.Rate {
            TokenBucket.Rate(count, per: .seconds(60), burst: count)
        }
        nameUses = count.map(rate)
        connects = nameUses?.times(30)
        openings = nameUses?.times(3)
        claims = nameUses?.times(2)
        wrongTokens = count.map { rate(max($0 / 4, 1)) }
    }

    /// No limit except the constants, and a short delay of the greeting.
    public static let none: Limits = {
        var limits = Limits()
        (limits.connections, limits.connectionsPerAddress) = (nil, nil)
        limits.setLines(perSecond: nil)
        limits.setNames(perMinute: nil)
        limits.addressJournal = nil
        (limits.wrongTokensInRow, limits.reserve) = (nil, 0)
        (limits.names, limits.nameAge) = (nil, nil)
        (limits.absence, limits.kick) = (.zero, .zero)
        (limits.roomsPerAddress, limits.roomIdle) = (nil, nil)
        limits.lineTime = nil
        limits.greetingDelay = .milliseconds(20)
        return limits
    }()
}
