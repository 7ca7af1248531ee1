import Auction
import Basics
import House
import Journal
import Transport
import Wire

/// What an operator chooses for a server.
public struct Settings: Sendable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes a free one.
    public var port: UInt16 = 7777
    /// The path of a Unix socket to listen on too; nil for none.
    public var socket: String?
    /// What is agreed for every lot.
    public var rules = Rules(seconds: 7)
    /// The lots.
    public var catalogue = Catalogue()
    /// The purses and the values of a game.
    public var game = GameSettings(RoomOptions())
    /// The plan of the class; nil if the server leads none.
    public var classPlan: ClassPlan?
    /// The students of the class, whose names are reserved; nil for a class without a roster.
    public var roster: Roster?
    /// Whether the server ends with the first lot.
    public var endsWithFirstLot = false
    /// The file with the token that proves the auctioneer; nil where there is none.
    public var auctioneerTokenFile: String?
    /// Whether a server without that file draws a token and prints it.
    public var drawsHostToken = false
    /// Whether that token is accepted only on the Unix socket.
    public var isAuctioneerLocal = false
    /// The folder of the journal; nil to store nothing.
    public var data: String?
    /// What the server needs as a node; nil if it shares its rooms with no other.
    public var cluster: ClusterSettings?
    /// A disk that tests put in the place of the folder's own.
    package var disk: (any Disk)?
    /// How much of the journal is kept.
    public var retention = Retention()
    /// The bytes after which a segment of the journal is full.
    package var segmentBytes = 64 << 20
    /// With more effects than this not sent yet, no more input is handled.
    package var unsentEffectLimit = 1 << 13
    /// The limits of one connection and of one address.
    public var limits = Limits()
    /// How much waits for one connection, and for how long.
    public var output = ConnectionLimits()
    /// What the kernel is asked to do for each connection.
    public var sockets = SocketOptions()
    /// The proxies whose connections begin with a PROXY header, which names the real address.
    public var trustedProxies: [AddressBlock] = []
    /// The origins of pages that may connect, besides the pages of the server itself.
    public var allowedOrigins: [String] = []
    /// Over how many loops, each with a thread, the connections are spread; 1 to 255.
    public var threads = 1
    /// How to wait for the kernel.
    public var poller = PollerKind.standard
    /// Whether `SIGHUP` means that the terminal is gone, and ends the server.
    public var endsWithTerminal = false
    /// What writes the log; nil for a server that keeps none.
    public var logWriter: LogWriter?
    /// Which lines the log has.
    public var logLevel = LogLevel.info

    /// Makes the settings that hold where nothing else is chosen.
    public init() {}

    /// Sets the time for one line, for receiving output and for acknowledging it; nil for no limit.
    ///
    /// A silent peer is probed after twice this time, three times, a third of this time apart.
    public mutating func setTimeout(seconds: Int32?) {
        let time = seconds.map { Duration.seconds($0) }
        (limits.lineTime, output.stallTime) = (time, time)
        sockets.userTimeoutSeconds = seconds
        sockets.keepAlive = seconds.map {
            SocketOptions.KeepAlive(
                idleSeconds: 2 * $0, intervalSeconds: max($0 / 3, 1), probes: 3)
        }
    }

    /// The addresses of this machine by which others may reach the server, where it listens on all.
    var reachable: [String] {
        host == "0.0.0.0" || host == "::" ? reachableAddresses() : []
    }

    /// The limits of the lobby, with the bounds that follow from the limits of connections.
    var lobbyLimits: Limits {
        var limits = limits
        limits.answerLines = max(output.outputBytes / 2 / Limits.answerLineBytes, 1)
        if data == nil { limits.addressJournal = nil }
        return limits
    }

    /// The bytes of one read if the rate of lines is limited.
    ///
    /// Enough for a burst of short lines, and little to store for many connections that send more.
    private static let limitedReadBytes = 4096

    /// The limits of waiting output and of reads for the connections of one loop.
    var connectionLimits: ConnectionLimits {
        var output = output
        let least = output.outputBytes
        output.allOutputBytes = output.allOutputBytes.map { max($0 / threads, least) }
        if limits.lines != nil { output.readBytes = min(output.readBytes, Self.limitedReadBytes) }
        return output
    }

    /// The options of the house; with `openLimit` connections open, a newcomer is refused at once.
    func houseOptions(openLimit: Int) -> House.Options {
        var options = House.Options()
        (options.loops, options.openLimit) = (threads, openLimit)
        options.unsentEffectLimit = unsentEffectLimit
        options.trustedProxies = trustedProxies
        return options
    }
}
