import Auction
import Basics

/// The addresses that opened the page recently, whose browsers may open further connections.
///
/// A browser opens connections before it needs them, and uses one for a request later. A greeting
/// would be taken for the response to it.
struct PageVisitors {
    /// How long the greeting of a silent connection from such an address is delayed.
    static let greetingDelay = Duration.seconds(10)
    /// How long this machine counts as one; short, as its users try `nc` besides the page.
    private static let localMemory = Duration.seconds(5)
    /// The minimum time that another address counts as one, unless there are too many.
    private static let memory = Duration.seconds(3600)
    /// The maximum number of addresses of one period.
    private static let mostAddresses = 4096

    private var lastLocalVisit: Instant?
    /// The addresses of the current period and of the one before.
    private var recent: (current: Set<PeerAddress>, former: Set<PeerAddress>) = ([], [])
    /// When the current period ends; its addresses count for one more period.
    private var periodEnd: Instant?

    /// Notes that a client opened the page.
    mutating func note(_ address: PeerAddress, at now: Instant) {
        if address.isOfThisMachine {
            lastLocalVisit = now
            return
        }
        let isPeriodOver = now >= periodEnd ?? .distantPast
        if !isPeriodOver, recent.current.contains(address.network) { return }
        if isPeriodOver || recent.current.count >= Self.mostAddresses {
            recent = ([], recent.current)
            periodEnd = now.advanced(by: Self.memory)
        }
        recent.current.insert(address.network)
    }

    /// Whether a connection that joined at an instant may be one that a browser has not used yet.
    func mayInclude(_ address: PeerAddress, joinedAt instant: Instant) -> Bool {
        if address.isOfThisMachine {
            guard let lastLocalVisit else { return false }
            return lastLocalVisit.advanced(by: Self.localMemory) > instant
        }
        guard let periodEnd else { return false }
        let end =
            recent.current.contains(address.network) ? periodEnd.advanced(by: Self.memory) : nil
        let formerEnd = recent.former.contains(address.network) ? periodEnd : nil
        return end ?? formerEnd ?? .distantPast > instant
    }
}
