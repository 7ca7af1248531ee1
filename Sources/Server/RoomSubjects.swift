import Auction
import House
import Reactive
import Wire

/// The subjects of all rooms, with their observers: the feeds, the server's log and the metrics.
///
/// The main room is always there.
struct RoomPublisher {
    /// The subjects of the main room.
    let main: RoomSubjects
    /// The other rooms, while they are open.
    private var others: [RoomID: OpenRoom] = [:]
    /// The rooms that were recovered and are not opened yet.
    private var recovered: [RoomName: RoomStatus]
    private let broadcaster: Broadcaster
    private let counter: NewsCounter
    private let log: Log

    /// An open room, and the observer that writes its log.
    private struct OpenRoom {
        let name: RoomName
        let subjects: RoomSubjects
        let log: SaleLog?
    }

    /// Begins with the main room, the first of `rooms`; the others are those that were recovered.
    init(_ rooms: [RoomStatus], _ broadcaster: Broadcaster, _ counter: NewsCounter, _ log: Log) {
        (self.broadcaster, self.counter, self.log) = (broadcaster, counter, log)
        main = RoomSubjects(rooms.first)
        recovered = Dictionary(uniqueKeysWithValues: rooms.dropFirst().map { ($0.name, $0) })
        // The lots of the main room are not in the line that says that a room has ended.
        addObservers(to: main, of: .main, lot: rooms.first?.lot ?? 0, lots: 0)
    }

    /// The number of rooms.
    var count: Int { 1 + others.count }

    /// The prices of all rooms that have one; O(rooms).
    var prices: [RoomName: Price] {
        var prices: [RoomName: Price] = [:]
        for room in others.values { prices[room.name] = room.subjects.price.value ?? nil }
        prices[.main] = main.price.value ?? nil
        return prices
    }

    /// Adds a room.
    mutating func open(_ id: RoomID, _ name: RoomName) {
        let status = recovered.removeValue(forKey: name)
        let subjects = RoomSubjects(status)
        let saleLog = addObservers(
            to: subjects, of: name, lot: status?.lot ?? 0, lots: status?.lotsEnded ?? 0)
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
        to subjects: RoomSubjects, of room: RoomName, lot: Int, lots: Int
    ) -> SaleLog? {
        subjects.observeNews { [broadcaster] in broadcaster.receive($0) }
        subjects.observeNews { [counter] in counter.receive($0) }
        guard log.takesIn(.info) else { return nil }
        let saleLog = SaleLog(log, of: room, lot: lot, lots: lots)
        subjects.observeNews { saleLog.receive($0) }
        return saleLog
    }
}

/// The subjects of one room: the price, the countdown, the winner, and all other news.
///
/// A piece of news is published once, by one subject. It may also change the values of the others,
/// which then notify nobody. The subjects hold values and not the news, because a stored piece of
/// news would keep the whole batch of its step in memory until the next one.
final class RoomSubjects {
    /// The leading or asking price; nil before the first bid of a lot, and while bids are sealed.
    let price: Subject<Price?>
    /// The seconds left of the one countdown, which an accepted bid resets; nil while none runs.
    let countdown = Subject<Int?>(nil)
    /// The winner of the newest lot that has ended; nil if it was not sold.
    let winner: Subject<SoldLot?>
    /// All other news, such as arrivals and warnings.
    let calls = Subject<Void>(remembering: 0)
    /// The news that a subject is publishing.
    private var news: News?
    private var subscriptions: [Subscription] = []

    /// Starts with the price and the winner of a recovered room; nil for a new room.
    init(_ room: RoomStatus?) {
        (price, winner) = (Subject(room?.price), Subject(room?.newestSale))
    }

    /// Registers an observer of all news, which comes before the observers that follow.
    func observeNews(_ observer: @escaping (News) -> Void) {
        observe(price, observer)
        observe(countdown, observer)
        observe(winner, observer)
        observe(calls, observer)
    }

    private func observe<Value>(_ subject: Subject<Value>, _ observer: @escaping (News) -> Void) {
        subscriptions.append(
            subject.observe { [unowned self] _ in if let news { observer(news) } })
    }

    /// Registers an observer of the winners from now on.
    func observeWinner(_ observer: @escaping (SoldLot?) -> Void) {
        subscriptions.append(
            winner.observe { [unowned self] in if news != nil { observer($0) } })
    }

    /// Publishes a piece of news through the subject that it changes.
    func publish(_ event: SaleEvent, in news: News) {
        self.news = news
        defer { self.news = nil }
        switch event {
        case .bidPlaced(let bid): price.notify(bid.price)
        case .bidVoided(let void): price.notify(void.leading?.price)
        case .askFell(let asked): price.notify(asked)
        case .secondsLeft(let seconds): countdown.notify(seconds)
        case .paused: countdown.notify(nil)
        case .lotSold(let lot):
            winner.notify(lot)
            change(countdown, to: nil)
        case .lotPassed:
            winner.notify(nil)
            change(countdown, to: nil)
        case .lotOpened:
            calls.notify(())
            change(price, to: nil)
        case .lastReset, .warned, .nextAnnounced, .ended, .resumed, .hammered, .bidderKicked,
            .stopped, .bidderJoined, .bidderLeft, .termsAnnounced, .bidsSealed, .bidRevealed,
            .reserveMet, .valueRevealed, .championNamed, .messageSaid:
            calls.notify(())
        case .worthDrawn, .saleBegan, .nameTaken, .nameFreed, .nameKept, .nameBarred, .barEnded,
            .timeNoted, .gameSet, .lotPlanned, .lotAdded, .valueDrawn, .bidSealed, .maximumSet,
            .bidderMuted, .bidderUnmuted:
            preconditionFailure("a private event is no news")
        }
    }

    /// Changes a value without news of its own.
    private func change<Value>(_ subject: Subject<Value?>, to value: Value?) {
        news = nil
        subject.notify(value)
    }
}
