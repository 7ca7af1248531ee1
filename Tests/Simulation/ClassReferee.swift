import Auction
import House
import Wire

/// Compares what a server decides in the rooms of a class with the model of the class, and who is
/// there with who may be.
final class ClassReferee {
    /// The longest time in which nothing may follow that must, whatever the disk and the loops do.
    private static let patience = Duration.seconds(45)
    /// The words of news with which a class or one of its lots goes on.
    private static let steps: Set<Substring> = [
        "ROUND", "MEMBER", "EARNED", "NEXT", "LOT", "PRICE", "COUNTDOWN", "ASK", "SEALED",
        "REVEALED", "WINNER", "PASSED", "OVER",
    ]

    private let plan: ClassPlan
    private unowned let oracle: Oracle
    private var model: ClassModel
    /// The groups that connections were told, and to whose rooms they have not moved yet.
    private var told: [SessionID: Int] = [:]
    /// Who has read the instructions of the round that is announced.
    private var ready: Set<Bidder> = []
    /// Whether the teacher has started the class since the server started, and whether the time of
    /// the round that is announced runs.
    private var isStarted = false
    private var isCounting = false
    /// When the class last went on, or had a reason not to, and whether it has one now.
    private var wentOnAt = Duration.zero
    private var isExcused = true
    /// When the newest line of a round, of its lots or of what follows was decided.
    private var newestAt = Duration.zero
    /// Whether the server has started, and has decided nothing yet.
    private var isStarting = false
    /// What is done after this number of lines of rounds and their lots.
    private var plans: [(lines: Int, action: () -> Void)] = []

    init(_ plan: ClassPlan, _ oracle: Oracle) {
        (self.plan, self.oracle, model) = (plan, oracle, ClassModel(plan))
    }

    /// Whether a round has begun, or was left out, and whether the last one has ended the class.
    var hasBegun: Bool { model.hasBegun }
    var isOver: Bool { model.isOver }

    /// Whether the class was in the middle of something after an instant.
    func isBusy(since time: Duration) -> Bool { newestAt > time }

    /// Does something after this number of lines of rounds and their lots.
    func after(_ lines: Int, _ action: @escaping () -> Void) {
        plans.append((lines, action))
    }

    // Decisions

    /// Takes an effect that concerns a room; `subject` is its connection.
    func decide(
        _ effect: Effect, in room: RoomReferee?, of subject: Connection?, at now: Duration
    ) {
        switch effect {
        case .journalRoom(.roomOpened(.classroom, _, _)): reset()
        case .journal(let event):
            if let room, room.isOfClass { take(Record.event(event).words, in: room, at: now) }
        case .news(let event, _, _, _):
            guard let room, room.isOfClass else { break }
            take(ServerMessage.event(event).words, in: room, at: now)
        case .follow(let id, _): enter(room, id, subject)
        case .reply(let message, let id): decide(message, id, in: room)
        default: break
        }
    }

    private func reset() {
        model = ClassModel(plan)
        (ready, isStarted, isCounting) = ([], false, false)
    }

    private func take(_ words: String, in room: RoomReferee, at now: Duration) {
        oracle.note(model.take(words, in: room.name.group, present: room.names.present))
        let verb = words.prefix { $0 != " " }
        if Self.steps.contains(verb) {
            (wentOnAt, newestAt) = (now, now)
            for index in plans.indices {
                plans[index].lines -= 1
                if plans[index].lines == 0 { plans[index].action() }
            }
            plans.removeAll { $0.lines <= 0 }
        }
        switch verb {
        case "ROUND": (ready, isCounting) = ([], false)
        case "NEXT" where room.name == .classroom: isCounting = true
        case "LOT" where room.game.model.rules.format != model.format:
            oracle.report(.rounds, "\(words) is \(room.game.model.rules.format)")
        case "EARNED" where !model.isPlaying: oracle.count(.roundPlayed)
        case "OVER": oracle.count(.classOver)
        default: break
        }
    }

    private func decide(_ message: ServerMessage, _ id: SessionID, in room: RoomReferee?) {
        let bidder = oracle.usage.bidders[id]
        switch message {
        case .round(let notice, _):
            if !model.isTrue(notice, to: bidder) {
                oracle.report(.groups, "\(bidder?.description ?? "nobody") \(message.words)")
            }
            told[id] = notice.group
        case .standing(let row) where room?.name == .classroom:
            let sum = Tally(
                bidder: row.bidder, lots: row.lots, spent: row.spent, profit: row.profit ?? 0)
            if row.profit != nil, !model.hasHad(sum) { oracle.report(.earned, message.words) }
        case .ok(.ready, _):
            bidder.map { _ = ready.insert($0) }
            oracle.count(.ready)
        case .ok(.ruled(let verb), _) where room?.isOfClass == true || room?.name == .main:
            obey(verb)
        default: break
        }
    }

    private func obey(_ order: AuctioneerCommand.Verb) {
        switch order {
        case .start: isStarted = true
        case .skip:
            oracle.count(model.isPlaying ? .roundEnded : .roundSkipped)
            model.skip()
        case .pause: oracle.count(model.isPlaying ? .roundPaused : .classPaused)
        default: break
        }
    }

    /// Requires that a bidder enters the room of its own group alone, and was told of it before,
    /// unless it asks to join it.
    private func enter(_ room: RoomReferee?, _ id: SessionID, _ subject: Connection?) {
        let told = told.removeValue(forKey: id)
        guard let room, let group = room.name.group, let bidder = oracle.usage.bidders[id] else {
            return
        }
        if !model.admits(bidder, to: group) {
            oracle.report(.groups, "\(bidder) enters \(room.name)")
        }
        let asked = subject.flatMap { $0.commands.dropFirst($0.answered).first?.kind }
        if told != group, asked != .join(room.name) {
            oracle.report(.groups, "\(bidder) is not told of \(room.name)")
        }
    }

    /// Whether a bidder may be in a room.
    func admits(_ bidder: Bidder, to name: RoomName) -> Bool {
        name.group.map { model.admits(bidder, to: $0) } ?? true
    }

    // The end of a step

    /// Requires that everything that follows has followed, and that the class does not stand still.
    ///
    /// `isIdle` is whether nothing was decided in it.
    func endStep(isIdle: Bool, isClosing: Bool, at now: Duration) {
        if !isIdle { isExcused = hasExcuse }
        if isExcused { wentOnAt = now }
        if now - wentOnAt > Self.patience {
            oracle.report(.goesOn, "nothing has followed since \(wentOnAt.stopwatch)")
        }
        guard !isIdle else { return }
        for (id, bidder) in oracle.usage.bidders {
            guard let room = oracle.usage.rooms[id], let group = room.name.group,
                model.isPlaying, !model.admits(bidder, to: group)
            else { continue }
            oracle.report(.groups, "\(bidder) is in \(room.name)")
        }
        // What a start has found is settled in a later step than its first.
        if !isClosing, !isStarting, newestAt == now { oracle.note(model.checkSettled()) }
        isStarting = false
    }

    /// Whether the class waits for somebody, or has ended.
    private var hasExcuse: Bool {
        guard let classroom = oracle.live[.classroom], !isOver, !model.isPaused else { return true }
        if model.isPlaying { return false }
        if !hasBegun, !isStarted { return true }
        let present = oracle.usage.bidders.keys.count { oracle.usage.rooms[$0]?.isOfClass == true }
        let isRead = isCounting || ready.isSuperset(of: classroom.names.present)
        return present < 2 || plan.shows.contains(.instructions) && model.nextIsNew && !isRead
    }

    // What is published, and starts

    /// Takes what is published in a room.
    func publish(_ effect: Effect, in room: RoomReferee) {
        guard room.name == .classroom, case .journal(let event) = effect else { return }
        if Self.steps.contains(Record.event(event).words.prefix { $0 != " " }) { model.publish() }
    }

    /// Requires that the sums of the class in a state are those of the model.
    func checkState(_ records: [(record: Record, number: Int?)]) {
        var (isInClass, sums) = (false, [Bidder: Tally]())
        for (record, _) in records {
            switch record {
            case .roomState(let name, _, _): isInClass = name == .classroom
            case .tally(let tally) where isInClass && tally != Tally(bidder: tally.bidder):
                sums[tally.bidder] = tally
            default: break
            }
        }
        if sums != model.sums { oracle.report(.earned, "\(sums) instead of \(model.sums)") }
    }

    /// Begins again with what a start has found; `state` is nil if it has found no class.
    func recover(_ state: [Record]?, at now: Duration) {
        (told, ready, isStarted, isCounting, wentOnAt) = ([:], [], false, false, now)
        isStarting = true
        guard let state, let room = oracle.live[.classroom] else { return reset() }
        var news: [Int: [String]] = [:]
        for room in oracle.live.values where room.isOfClass {
            news[room.name.group ?? 0] = oracle.log.room(room.id)?.news
        }
        if model.isPlaying { oracle.count(.startInRound) }
        oracle.note(model.recover(state.map(\.words), news: news))
        if hasBegun { room.endWaiting() }
    }
}

extension RoomName {
    /// The room in which a class waits.
    static let classroom = RoomName("class") ?? .main
}
