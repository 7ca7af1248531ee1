import Auction
import House
import Reactive
import Wire

/// The subjects of all rooms, with their observers: the broadcaster and the server's log.
///
/// The main room is always there.
struct RoomPublisher {
    /// The subjects of the main room.
    let main = RoomSubjects()
    /// The other rooms, while they are open.
    private var others: [RoomID: OpenRoom] = [:]
    private let broadcaster: Broadcaster
    private let log: Log

    /// An open room, and the observer that writes its log.
    private struct OpenRoom {
        let name: RoomName
        let subjects: RoomSubjects
        let log: SaleLog?
    }

    /// Begins with the main room.
    init(_ broadcaster: Broadcaster, _ log: Log) {
        (self.broadcaster, self.log) = (broadcaster, log)
        addObservers(to: main, of: .main)
    }

    /// The number of rooms.
    var count: Int { 1 + others.count }

    /// Adds a room in which `lots` lots have ended.
    mutating func open(_ id: RoomID, _ name: RoomName, lots: Int) {
        let subjects = RoomSubjects()
        let saleLog = addObservers(to: subjects, of: name, lots: lots)
        others[id] = OpenRoom(name: name, subjects: subjects, log: saleLog)
    }

    /// Removes a room that has ended, and returns its name.
    mutating func end(_ id: RoomID) -> RoomName? {
        guard let room = others.removeValue(forKey: id) else { return nil }
        room.log?.end()
        return room.name
    }

    /// The subjects of a room; nil if it is not open.
    func subjects(of room: RoomID) -> RoomSubjects? {
        room == .main ? main : others[room]?.subjects
    }

    @discardableResult
    private func addObservers(
        to subjects: RoomSubjects, of room: RoomName, lots: Int = 0
    ) -> SaleLog? {
        subjects.observe { [broadcaster] in broadcaster.receive($0) }
        guard log.takesIn(.info) else { return nil }
        let saleLog = SaleLog(log, of: room, lots: lots)
        subjects.observe { saleLog.receive($0) }
        return saleLog
    }
}

/// What happens in one room, as subjects that publish each piece of its news once and in order.
///
/// They do not remember the last news: it would keep the whole batch of its step in memory for as
/// long as the room is quiet.
final class RoomSubjects {
    /// The price, which changes with an accepted bid, a void, or a fall of the asking price.
    let price = Subject<News>(remembering: 0)
    /// The one countdown, which an accepted bid resets and a pause stops.
    let countdown = Subject<News>(remembering: 0)
    /// The winner of each lot that is sold.
    let winner = Subject<News>(remembering: 0)
    /// All other news: lots, warnings, arrivals and departures.
    let calls = Subject<News>(remembering: 0)
    private var subscriptions: [Subscription] = []

    /// Registers an observer of all news, which comes before the observers that follow.
    func observe(_ observer: @escaping (News) -> Void) {
        for subject in [price, countdown, winner, calls] {
            subscriptions.append(subject.observe { observer($0) })
        }
    }

    /// Registers an observer of the winners.
    func observeWinner(_ observer: @escaping (News) -> Void) {
        subscriptions.append(winner.observe { observer($0) })
    }

    /// The subject that publishes news of this kind.
    func subject(of news: Effect) -> Subject<News> {
        guard case .news(let event, _, _, _) = news else { return calls }
        return switch event {
        case .bidPlaced, .bidVoided, .askFell: price
        case .secondsLeft, .lastReset, .paused, .resumed: countdown
        case .lotSold: winner
        default: calls
        }
    }
}
