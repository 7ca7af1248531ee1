import Addresses
import AuctionRules
import Wire

/// What a room knows of one connection.
struct Session {
    /// Where it comes from.
    let address: PeerAddress

    /// When it connected.
    let joined: Instant

    /// Whether it has sent no line yet.
    var isSilent = true

    /// What kind of place a connection has.
    enum Place {
        /// One of `Limits.connections`.
        case regular
        /// One of `Limits.reserve` that is not for the Unix socket alone.
        case reserved
        /// One of `Limits.reserve` that is for the Unix socket alone.
        case local
    }

    /// The place that it has.
    var place = Place.regular

    /// Whether it has a reserved place, and must still prove a token.
    var isOnTrial = false

    /// How many lines it has sent on trial.
    var preliminaries: UInt8 = 0

    /// Its turn for a new name, if it waits for one.
    var nameTurn: NetworkUsage.Turn?

    /// What it is called; nil for somebody who only watches, as yet.
    var bidder: Bidder?

    /// Whether it has proved to be the auctioneer's.
    var isAuctioneer = false

    /// Whether it was greeted, and hears the news.
    var isAdmitted = false

    /// Makes requests of its bytes.
    var codec: LineCodec

    /// The lines of it that may be heard.
    var lines = TokenBucket()

    /// The lines that were reserved for it and charged to its address.
    var reservedLines = 0

    /// When these lines are available; nil for at once.
    var linesDue: Instant?

    /// How many wrong tokens it has sent since the last right one.
    var wrongTokens = 0

    /// The form in which it receives messages.
    var format = Format.text

    /// The most bytes of the replies since its output was last known to be sent.
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

    /// Whether `JOINED` was sent for the owner, and `LEFT` not yet.
    var isPresent = false

    /// Whether a bid was accepted under the name, so that it stays owned without a connection.
    var hasBid = false

    /// The number of the last lot with a bid under this name; 0 if unknown.
    var lot = 0

    /// When its owner last left, in milliseconds since 1970.
    var used: Int64 = 0

    /// How often the name may be opened.
    var openings = TokenBucket()

    /// Until when the owner counts as present without a connection.
    var awayUntil = Instant(nanoseconds: 0)

    /// Whether a check for too long an absence is scheduled.
    var isAwaited = false

    /// Its number in the order of present names, or of absent ones.
    var number = 0

    init(bidder: Bidder, token: Token) {
        (self.bidder, self.token) = (bidder, token)
    }

    /// Whether anybody may take the name: its owner is gone, or never arrived, and has not bid.
    var isFree: Bool { !isPresent && !hasBid }
}
