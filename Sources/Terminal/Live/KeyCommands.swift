import Auction
import Bidder
import Reactive
import Wire

/// What the keys of a view do: they edit the line, send its commands, scroll and show the help.
final class KeyCommands {
    private let connection: LiveConnection
    private let store: ModelStore
    private let effects: Subject<ClientEffect>
    private let bag = SubscriptionBag()

    init(to connection: LiveConnection, showingIn store: ModelStore, effects: Subject<ClientEffect>)
    {
        self.connection = connection
        self.store = store
        self.effects = effects
    }

    private var model: Model { store.model }

    /// Handles a key, and requests a frame, which a redraw needs too.
    func press(_ key: Key) {
        defer { store.requestFrame() }
        switch key {
        case .control("c"): quit()
        case .control("l"): effects.notify(.redraw)
        case .control("r"): connection.retryNow()
        case .control("z"): effects.notify(.suspend)
        case .escape:
            store.update {
                $0.prompt.helpPage = nil
                $0.show(nil)
            }
        case .pageUp: scrollLaps(byPages: -1)
        case .pageDown: scrollLaps(byPages: 1)
        case _ where model.prompt.input.text.isEmpty && pressOnEmptyLine(key): break
        case _ where model.bidder != nil: edit(key)
        default: break
        }
    }

    /// Handles a key that has another meaning while a line is typed; false if it has none.
    private func pressOnEmptyLine(_ key: Key) -> Bool {
        let isPlaying = model.bidder != nil
        switch key {
        case .control("d"): quit()
        case .character("?"): turnHelp()
        case .home: scrollLaps(by: -.max)
        case .end: scrollLaps(by: .max)
        case .up where !isPlaying: scrollLaps(by: -1)
        case .down where !isPlaying: scrollLaps(by: 1)
        case .character("q") where !isPlaying: quit()
        case .enter where !isPlaying: connection.retryNow()
        default: return false
        }
        return true
    }

    /// Ends, and says what of the user stays.
    private func quit() {
        if let offer = model.own?.stayingOffer(on: model.lot) { effects.notify(.complain(offer)) }
        if !model.isConnected {
            let reason = model.connection.lastError ?? "not connected to \(model.server)"
            effects.notify(.complain(reason))
        }
        effects.notify(.exit(model.isConnected ? .done : .lost))
    }

    // MARK: Help and laps

    /// Shows the next page of the help, and hides it after the last one.
    private func turnHelp() {
        let pages = layout(isHelping: true).helpPages
        let page = model.prompt.helpPage.map { $0 + 1 } ?? 0
        store.update { $0.prompt.helpPage = page < pages ? page : nil }
    }

    private func scrollLaps(byPages pages: Int) {
        scrollLaps(by: pages * max(1, layout(isHelping: false).lapRows - 1))
    }

    private func scrollLaps(by count: Int) {
        let rows = layout(isHelping: false).lapRows
        store.update { $0.scrollLaps(by: count, rows: rows) }
    }

    private func layout(isHelping: Bool) -> Layout {
        Layout(of: model, size: store.size.value ?? Layout.smallest, isHelping: isHelping)
    }

    // MARK: Commands

    private func edit(_ key: Key) {
        var order: CommandPrompt.Order?
        store.update { [model] in order = $0.prompt.press(key, in: model) }
        switch order {
        case .request(let command)?: request(command)
        case .synchronise?:
            connection.request(.status).observe(in: bag) { [unowned self] _ in
                store.update {
                    let summary = $0.summary
                    $0.prompt.feedbackLine.show(summary, isRefusal: false, topic: .moment)
                }
                connection.loadLists()
            }
        case .load(let list)?: load(list)
        case .retry?: connection.retryNow()
        case .quit?: quit()
        case nil: break
        }
    }

    private func load(_ list: List) {
        if List.shown.contains(list) { store.update { $0.show(list) } }
        connection.load(list)
    }

    /// Sends a command, and shows its result.
    private func request(_ command: Request.Command) {
        // While a connection enters the room of the one before, it can enter no other room.
        guard !command.changesRoom || connection.isLive.value == true else {
            return store.update {
                $0.prompt.feedbackLine.show("not connected", isRefusal: true, topic: .connection)
            }
        }
        let sent = command.forLot(model.lot.isOpen ? model.lot.lot : nil)
        connection.request(sent).observe(in: bag) { [unowned self] reply in
            store.update {
                $0.prompt.feedbackLine.showSuccess(of: reply.answer, in: $0.lot)
                if case .auctioneer = command { $0.prompt.completeAuctioneerCommands() }
            }
            if case .opened(let room, let key) = reply.answer { own(room, key) }
        } onEnd: { [store] error in
            guard let error = error as? ClientError else { return }
            store.update {
                $0.prompt.feedbackLine.show(error.reason, isRefusal: true, topic: error.topic)
            }
        }
    }

    /// Becomes the auctioneer of a room that the user opened, and shows its key.
    private func own(_ room: RoomName, _ key: String) {
        connection.keep(key, of: room)
        store.update {
            $0.prompt.completeAuctioneerCommands()
            $0.tell("the key of your room: \(key)", isRefusal: false)
        }
    }
}

extension List {
    /// The lists that are shown in place of the lot if the user asks for them.
    fileprivate static let shown: [List] = [.standings, .results, .rooms]
}

extension Request.Command {
    /// Whether it moves the connection to another room.
    fileprivate var changesRoom: Bool {
        if case .join = self { return true }
        return if case .open = self { true } else { false }
    }
}
