import Auction
import Bidder
import Reactive
import Transport
import Wire

/// A bidder's view of the sale without I/O: lines, keys and time in, frames and effects out.
///
/// The owner calls `advance` with the time of its clock before every other call, and again at the
/// timeline's next deadline. Then it carries out the effects, and draws the frame if one is due.
package final class LiveView {
    /// A delay that shows that the process was stopped, or the machine slept.
    private static let standstill = Duration.seconds(1)

    /// The time of the view, driven by `advance`.
    package let timeline = Timeline()

    private let connection: LiveConnection
    private let store: ModelStore
    private let signals: ModelSignals
    private let keys: KeyCommands
    /// False while `advance` catches up after a standstill.
    private let isMoving = Subject(true)
    private let bag = SubscriptionBag()
    private var pendingEffects: [ClientEffect] = []
    private var isOver = false
    private let isASCII: Bool

    /// Makes the view of a bidder, or of an observer, on a terminal of this size.
    ///
    /// It begins in `room`, and exits if the server refuses that. `token` returns the stored token
    /// of the name. With `isASCII` the frames contain only ASCII
    /// characters. With `ringsBell` the terminal rings when the bidder is outbid. `chance` returns
    /// uniform random numbers from 0 to 1.
    package init(
        of bidder: Bidder?, in room: RoomName = .main, token: @escaping (Identity?) -> String?,
        at server: ServerAddress, size: Size, isASCII: Bool = false, ringsBell: Bool = false,
        chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
        let effects = Subject<ClientEffect>(remembering: 0)
        self.isASCII = isASCII
        store = ModelStore(Model(bidder: bidder, server: server), size: size, on: timeline)
        connection = LiveConnection(
            to: room, claim: bidder.map { NameClaim(of: $0, storedToken: token) }, on: timeline,
            backoff: Backoff(chance: chance), effects: effects)
        signals = ModelSignals(
            of: connection, to: store, on: timeline, isMoving: isMoving.signal
        ) {
            if ringsBell { effects.notify(.bell) }
        }
        keys = KeyCommands(to: connection, showingIn: store, effects: effects)
        effects.observe(in: bag) { [unowned self] in collect($0) }
    }

    /// The content of the view.
    package var model: Model { store.model }

    /// The title of the window: how the bidder stands, the price and the lot.
    package var title: String { isASCII ? model.title.asciiOnly : model.title }

    /// Begins to connect.
    package func begin() {
        connection.begin()
    }

    /// Advances the time, and does what is due.
    ///
    /// After a standstill, animations continue at the present instead of catching up, and timeouts
    /// start again, because answers may have arrived, but were not read.
    package func advance(to time: Duration) {
        let due = timeline.nextDeadline ?? time
        guard time - due > Self.standstill else { return timeline.advance(to: time) }
        isMoving.notify(false)
        connection.restartTimeouts(at: time)
        timeline.advance(to: time)
        isMoving.notify(true)
    }

    /// Handles what has happened on the connection, in order.
    ///
    /// What is shown follows once, after the last of the events.
    package func receive(_ events: [ServerConnection.Event]) {
        guard !events.isEmpty else { return }
        for event in events { connection.receive(event) }
        let unreadable = connection.unreadableLines
        if unreadable > model.unreadableLines {
            store.updateLater { $0.countUnreadable(unreadable) }
        }
        store.endUpdates()
    }

    /// Handles a key.
    package func press(_ key: Key) {
        keys.press(key)
    }

    /// Sets the size of the terminal.
    package func resize(to size: Size) {
        store.resize(to: size)
    }

    /// Takes the effects to carry out, in order.
    package func takeEffects() -> [ClientEffect] {
        defer { pendingEffects.removeAll() }
        return pendingEffects
    }

    /// Takes what draws the frame; nil if none is due.
    package func takeDrawing() -> (() -> Frame)? { store.takeDrawing(isASCII: isASCII) }

    private func collect(_ effect: ClientEffect) {
        guard !isOver else { return }
        pendingEffects.append(effect)
        if case .exit = effect { isOver = true }
    }
}
