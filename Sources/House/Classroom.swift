import Auction
import Basics
import Strategies
import Wire

/// A class: it plays the rounds of its plan in the rooms of groups, and moves its members there.
///
/// All wait in the room `class`, whose sale has what must survive a restart: the newest round, who
/// plays it where, and what everybody has earned. The rooms of the groups are `class-1`, `class-2`
/// and so on; each has one lot for each round that its group plays. A student who is drawn for a round
/// is a member of its group.
struct Classroom {
    /// The longest time that a result stays in sight before everybody is back in the room `class`.
    private static let longestResults = Duration.seconds(5)
    /// The fewest bidders with whom a round begins.
    private static let fewestBidders = 2

    /// What the class plays.
    let plan: ClassPlan
    private let rounds: [ClassRound]
    /// The room in which everybody waits.
    let room: RoomID
    private var stage = Stage.gathering
    /// Whether a round was announced, and the room `class` is not told yet.
    private var isUntold = false
    /// The members who have sent `ready` for the round that waits.
    private var ready: Set<Bidder> = []
    /// The formats whose instructions were shown.
    private var shown: Set<AuctionFormat> = []
    /// The rooms of the groups, by their numbers from 1.
    private var groups: [RoomID] = []
    /// The groups whose lots of the round have not ended.
    private var open: [ClassGroup] = []
    /// The bots that bid for members who have left during the round.
    private var substitutes: [Bidder: any Strategy] = [:]
    /// The members who were kicked during the round, for whom no bot bids.
    private var kicked: Set<Bidder> = []
    /// When members count as having left who have not come back after a restart.
    private let absenceEnd: Instant
    /// When lots end for which no countdown runs; nil while the class is paused.
    ///
    /// A group that never bids, or is away, would hold up all others.
    private var firstBidsEnd: Instant?
    /// The number of the newest event of `class` when its members were last moved.
    private var checked = -1

    private enum Stage: Equatable {
        /// The class begins when the teacher starts it, or everybody of the roster is here.
        case gathering
        /// Members read the instructions of a round, until all are ready or the teacher starts it.
        case reading(ClassRound)
        /// A round begins when the pause is over.
        case counting(ClassRound)
        /// A round waits for a second bidder.
        case short(of: ClassRound)
        /// Lots are open.
        case playing
        /// The results of a round are in sight; nil while the class is paused.
        case results(until: Instant?)
        /// Everybody moves back to the room `class`.
        case returning
        case over

        /// The round that comes; nil while none is announced.
        var round: ClassRound? {
            switch self {
            case .reading(let round), .counting(let round), .short(let round): round
            case .gathering, .playing, .results, .returning, .over: nil
            }
        }
    }

    /// A move of everybody from one room to another, or of one bidder.
    struct Move {
        /// Who moves; nil for all connections in the room but those of auctioneers.
        let bidder: Bidder?
        let from: RoomID
        let to: RoomID
        /// What is told before.
        let notice: ClassNotice?
    }

    /// Continues a class with the rooms that a journal had, or begins one.
    ///
    /// Members who were there have `absence` to come back.
    init(
        _ plan: ClassPlan, absence: Duration, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        (self.plan, rounds) = (plan, plan.rounds)
        absenceEnd = turn.now.advanced(by: absence)
        var options = plan.roomOptions
        (options.waits, options.showsProfits) = (true, plan.shows.contains(.standings))
        room = rooms.id(of: .classroom) ?? rooms.openForClass(.classroom, options, &turn)
        while let next = RoomName(group: groups.count + 1), let id = rooms.id(of: next) {
            groups.append(id)
        }
        guard let drawn = rooms[room].sale.drawnRound else { return }
        shown = Set(rounds.prefix(drawn.round.number).map(\.format))
        open = drawn.isComplete ? drawn.openGroups : []
        endOtherLots(in: &rooms, &turn)
        guard drawn.isComplete else {
            // The journal ended before all were drawn, so no lot has opened.
            introduce(after: drawn.round.number - 1, in: &rooms, &turn)
            return
        }
        openRooms(ofGroups: drawn.groups.last?.number ?? 0, in: &rooms, &turn)
        stage = .playing
        // The journal may have ended before all rooms were paused or resumed.
        obeyInRooms(isPaused(rooms) ? .pause : .resume, in: &rooms, &turn)
        if drawn.isDone { showResults(for: .zero, rooms, turn) }
        if rooms[room].sale.isOver { stage = .over }
        if !isPaused(rooms) { waitForFirstBids(turn) }
        proceed(in: &rooms, &turn)
    }

    /// Whether the teacher has paused the class.
    private func isPaused(_ rooms: borrowing Rooms) -> Bool { rooms[room].sale.auction.isPaused }

    /// Opens rooms until there are those of this many groups.
    private mutating func openRooms(
        ofGroups count: Int, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        while groups.count < count, let name = RoomName(group: groups.count + 1) {
            groups.append(rooms.openForClass(name, plan.roomOptions, &turn))
        }
    }

    /// Ends the lots that the rooms of groups have opened by themselves, while there was no class.
    private func endOtherLots(in rooms: inout Rooms, _ turn: inout Turn) {
        for (index, id) in groups.enumerated() {
            let lot = open.first { $0.number == index + 1 }?.lot
            if rooms[id].sale.auction.lot.number != lot { rooms[id].obey(.close, &turn) }
        }
    }

    /// When `advance` is next due; nil if only input can change anything.
    var deadline: Instant? {
        switch stage {
        case .results(let end): end
        case .playing: firstBidsEnd
        case .gathering, .reading, .counting, .short, .returning, .over: nil
        }
    }

    /// Tells a connection in the room `class` the round to come, and before it the instructions.
    func tellRound(to sender: Sender, _ turn: inout Turn) {
        switch stage {
        case .reading(let round):
            let instructions = plan.instructions(for: round, groupSize: plan.groupSize)
            if sender.encoding == .text {
                let lines = instructions.sentences + ["type ready when you have read this"]
                for line in [instructions.title] + lines {
                    turn.tell(.help(line), to: sender.id)
                }
            }
            turn.tell(.round(notice(of: round), instructions.json), to: sender.id)
        case .counting(let round), .short(let round):
            turn.tell(.round(notice(of: round)), to: sender.id)
        case .gathering, .playing, .results, .returning, .over: break
        }
    }

    private func notice(of round: ClassRound) -> ClassNotice {
        var notice = ClassNotice(
            round: round.number, of: rounds.count, format: round.format, title: plan.title)
        (notice.isPractice, notice.size) = (round.isPractice, plan.groupSize)
        return notice
    }

    /// Whether a round was announced since this was last asked.
    mutating func takeAnnouncement() -> Bool {
        defer { isUntold = false }
        return isUntold
    }

    /// The rooms of the class, if this is one of them.
    func rooms(with id: RoomID) -> [RoomID] {
        let all = [room] + groups
        return all.contains(id) ? all : []
    }

    /// Whether a bidder may take part in a room: it is not that of a group, or that of the bidder's.
    func admits(_ bidder: Bidder, to id: RoomID, of rooms: borrowing Rooms) -> Bool {
        guard let group = groups.firstIndex(of: id) else { return true }
        guard case .playing = stage else { return false }
        return rooms[room].sale.drawnRound?.places[bidder]?.group == group + 1
    }

    // Commands

    /// What an order of the teacher causes.
    enum Decision {
        /// It is refused.
        case refuse(ErrorReply)
        /// It is accepted, and then this is done.
        case accept((inout Classroom, inout Rooms, inout Turn) -> Void)
    }

    /// An order of the teacher; the raw values are the verbs.
    enum Order: String, CaseIterable {
        case start, pause, resume, skip
    }

    /// Decides an order of the teacher.
    ///
    /// `start` and `skip` also end a pause.
    func decide(_ order: Order, in rooms: borrowing Rooms) -> Decision {
        switch order {
        case .start: decideStart(in: rooms)
        case .skip:
            switch stage {
            case .reading(let round), .counting(let round), .short(let round):
                .accept {
                    $0.obeyInRooms(.resume, in: &$1, &$2)
                    $0.leaveOut(round, in: &$1, &$2)
                }
            case .playing:
                .accept {
                    $0.obeyInRooms(.resume, in: &$1, &$2)
                    $0.obeyInRooms(.close, in: &$1, &$2)
                }
            case .gathering, .results, .returning, .over: .refuse(.notNow)
            }
        case .pause:
            switch stage {
            case .counting, .playing, .results:
                isPaused(rooms) ? .refuse(.notNow) : .accept { $0.pause(in: &$1, &$2) }
            case .gathering, .reading, .short, .returning, .over: .refuse(.notNow)
            }
        case .resume:
            isPaused(rooms) ? .accept { $0.resume(in: &$1, &$2) } : .refuse(.notNow)
        }
    }

    private func decideStart(in rooms: borrowing Rooms) -> Decision {
        switch stage {
        case .gathering: .accept { $0.introduce(after: 0, in: &$1, &$2) }
        case .reading(let round): .accept { $0.count(to: round, in: &$1, &$2) }
        case .counting(let round) where !isShort(rooms):
            .accept {
                $0.obeyInRooms(.resume, in: &$1, &$2)
                _ = $0.begin(round, in: &$1, &$2)
            }
        case .counting, .short: .refuse(.classTooSmall)
        case .over: .refuse(.classOver)
        case .playing, .results, .returning: .refuse(.notNow)
        }
    }

    /// Gives a command to the room `class` and to those of the groups.
    private func obeyInRooms(
        _ command: Auction.Command, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        for id in [room] + groups {
            rooms[id].obey(command, &turn)
            rooms.touch(id)
        }
    }

    private mutating func pause(in rooms: inout Rooms, _ turn: inout Turn) {
        obeyInRooms(.pause, in: &rooms, &turn)
        firstBidsEnd = nil
        if case .results = stage { stage = .results(until: nil) }
    }

    private mutating func resume(in rooms: inout Rooms, _ turn: inout Turn) {
        obeyInRooms(.resume, in: &rooms, &turn)
        switch stage {
        case .counting(let round): count(to: round, in: &rooms, &turn)
        case .playing: waitForFirstBids(turn)
        case .results: showResults(for: resultsTime, rooms, turn)
        case .gathering, .reading, .short, .returning, .over: break
        }
    }

    private mutating func leaveOut(
        _ round: ClassRound, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        rooms[room].cancelOpening()
        rooms[room].commit(.roundBegan(round, members: 0), &turn)
        introduce(after: round.number, in: &rooms, &turn)
    }

    /// Notes that a connection holds the name of a bidder, who may have to be moved.
    mutating func noteArrival() {
        checked = -1
    }

    /// Notes that a bidder was kicked from the rooms of the class.
    mutating func note(kicked bidder: Bidder) {
        kicked.insert(bidder)
    }

    /// Notes that a bidder is ready; false if no round waits for that.
    mutating func note(ready bidder: Bidder) -> Bool {
        guard case .reading = stage else { return false }
        ready.insert(bidder)
        return true
    }

    /// Whether too few bidders are in the room `class` to begin a round.
    private func isShort(_ rooms: borrowing Rooms) -> Bool {
        rooms[room].sale.names.presentCount < Self.fewestBidders
    }

    // Rounds

    /// Does what is due, and returns who moves now; the moves come before what follows them.
    mutating func advance(in rooms: inout Rooms, _ turn: inout Turn) -> [Move] {
        switch stage {
        case .gathering:
            if !isShort(rooms), rooms.hasWholeRoster(in: room) {
                introduce(after: 0, in: &rooms, &turn)
            }
            return []
        case .returning, .over: return []
        case .reading(let round):
            guard !isShort(rooms), ready.isSuperset(of: rooms[room].sale.names.presentBidders)
            else { return [] }
            count(to: round, in: &rooms, &turn)
            return []
        case .counting(let round):
            guard let opening = rooms[room].nextOpening, opening <= turn.handledUntil else {
                return []
            }
            if !begin(round, in: &rooms, &turn) {
                rooms[room].cancelOpening()
                stage = .short(of: round)
            }
            return moves(in: rooms)
        case .short(let round):
            if !isShort(rooms) { count(to: round, in: &rooms, &turn) }
            return []
        case .playing:
            endUnwanted(in: &rooms, &turn)
            settle(in: &rooms, &turn)
            return moves(in: rooms)
        case .results(let end):
            guard let end, end <= turn.handledUntil else { return [] }
            stage = .returning
            return groups.map { Move(bidder: nil, from: $0, to: room, notice: nil) }
        }
    }

    /// Announces the round after the one with this number, or ends the class.
    private mutating func introduce(after number: Int, in rooms: inout Rooms, _ turn: inout Turn) {
        guard let round = rounds.first(where: { $0.number > number }) else {
            stage = .over
            rooms[room].endClass(&turn)
            return
        }
        rooms[room].showLots(rounds.drop { $0.number < round.number }.map(plan.lotPlan))
        (ready, isUntold) = ([], true)
        guard plan.shows.contains(.instructions), shown.insert(round.format).inserted else {
            return count(to: round, in: &rooms, &turn)
        }
        stage = .reading(round)
        rooms[room].tellBidders(&turn)
    }

    private mutating func count(to round: ClassRound, in rooms: inout Rooms, _ turn: inout Turn) {
        stage = .counting(round)
        rooms[room].announce(plan.lotPlan(for: round), &turn)
    }

    /// Draws groups of those who are in the room `class`, and opens a lot for each; false if there
    /// are too few.
    private mutating func begin(
        _ round: ClassRound, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Bool {
        guard !isShort(rooms), let seed = rooms[room].sale.options?.seed else { return false }
        rooms[room].cancelOpening()
        let (members, former) = (
            rooms[room].sale.names.presentBidders, rooms[room].sale.drawnRound?.groups ?? []
        )
        let drawn = plan.groups(
            of: members, in: round, seed: seed, keeping: former.map(\.bidders))
        rooms[room].commit(.roundBegan(round, members: members.count), &turn)
        openRooms(ofGroups: drawn.count, in: &rooms, &turn)
        for (index, bidders) in drawn.enumerated() {
            let lot = rooms[groups[index]].sale.auction.lot.number + 1
            for bidder in bidders {
                let place = ClassPlace(group: index + 1, lot: lot)
                rooms[room].commit(.memberDrawn(bidder, place), &turn)
            }
        }
        (stage, checked) = (.playing, -1)
        open = rooms[room].sale.drawnRound?.openGroups ?? []
        (substitutes, kicked) = ([:], [])
        waitForFirstBids(turn)
        return true
    }

    private mutating func waitForFirstBids(_ turn: borrowing Turn) {
        firstBidsEnd = turn.now.advanced(by: .seconds(plan.lot.seconds ?? 0))
    }

    /// Ends the lots that had their full seconds without a countdown.
    private mutating func endUnwanted(in rooms: inout Rooms, _ turn: inout Turn) {
        guard let end = firstBidsEnd else {
            // The only bid on a lot may have been voided.
            let isWaiting = open.contains { rooms[groups[$0.number - 1]].lacksCountdown }
            if isWaiting { waitForFirstBids(turn) }
            return
        }
        guard end <= turn.handledUntil else { return }
        firstBidsEnd = nil
        for id in groups {
            rooms[id].endUnwantedLot(&turn)
            rooms.touch(id)
        }
    }

    /// Does what follows the moves: opens the lots of the round that have not opened, or announces
    /// the next round.
    mutating func proceed(in rooms: inout Rooms, _ turn: inout Turn) {
        if case .returning = stage {
            return introduce(
                after: rooms[room].sale.drawnRound?.round.number ?? 0, in: &rooms, &turn)
        }
        guard case .playing = stage, let round = rooms[room].sale.drawnRound?.round,
            let seed = rooms[room].sale.options?.seed
        else { return }
        for group in open {
            let id = groups[group.number - 1]
            guard rooms[id].sale.auction.lot.number < group.lot else { continue }
            let options = plan.game(of: round, group: group.number, seed: seed)
            rooms[id].openLot(plan.lotPlan(for: round), options, &turn)
            rooms.touch(id)
        }
    }

    /// Records what the lots that have ended have brought, and shows the results when all have.
    private mutating func settle(in rooms: inout Rooms, _ turn: inout Turn) {
        if let kind = plan.substitute { bidForLeavers(as: kind, in: &rooms, &turn) }
        for group in open {
            let id = groups[group.number - 1]
            let newest = rooms[id].sale.auction.lot.number
            // Without the class the room may have gone on with lots of its own.
            guard newest > group.lot || newest == group.lot && rooms[id].sale.result != nil else {
                continue
            }
            let tallies = newest == group.lot ? rooms[id].sale.newestTallies : []
            for bidder in group.bidders
            where rooms[room].sale.drawnRound?.places[bidder]?.isDone == false {
                let tally = tallies.first { $0.bidder == bidder } ?? Tally(bidder: bidder)
                rooms[room].commit(.memberEarned(tally), &turn)
            }
            open.removeAll { $0.number == group.number }
        }
        if open.isEmpty { showResults(for: resultsTime, rooms, turn) }
    }

    /// Lets a bot bid for each member who has left during the round.
    private mutating func bidForLeavers(
        as kind: StrategyKind, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        guard turn.now >= absenceEnd, !isPaused(rooms) else { return }
        for group in open {
            let id = groups[group.number - 1]
            for bidder in group.bidders {
                guard rooms[id].sale.names[bidder]?.isPresent != true else {
                    substitutes[bidder] = nil
                    continue
                }
                let isKicked = kicked.contains(bidder) || rooms[id].sale.bars[bidder] != nil
                // What a student has bid stands.
                guard !isKicked, rooms[id].sale.auction.sealedBid(of: bidder) == nil,
                    let view = LotView(of: bidder, among: group.bidders.count, in: rooms[id], turn)
                else { continue }
                var bot = substitutes[bidder] ?? kind.make(seed: chance(of: bidder, rooms))
                let move = bot.decide(view, at: turn.now)
                substitutes[bidder] = bot
                guard let move else { continue }
                rooms[id].obey(move.command(by: bidder, in: rooms[id].sale.auction), &turn)
                rooms.touch(id)
            }
        }
    }

    /// The seed of the bot for a member, which differs by round.
    private func chance(of bidder: Bidder, _ rooms: borrowing Rooms) -> UInt64 {
        guard let seed = rooms[room].sale.options?.seed, let drawn = rooms[room].sale.drawnRound
        else { return 0 }
        var hash = KeyedHash(key: seed)
        // No draw of a value or of a group begins so.
        hash.combine(UInt64.max)
        hash.combine(UInt64(drawn.round.number))
        hash.combine(bidder)
        return hash.finish()
    }

    private var resultsTime: Duration { min(Self.longestResults, plan.pause) }

    private mutating func showResults(
        for time: Duration, _ rooms: borrowing Rooms, _ turn: borrowing Turn
    ) {
        stage = .results(until: isPaused(rooms) ? nil : turn.now.advanced(by: time))
    }

    /// The members who are in the room `class` while the lots of their groups are open.
    private mutating func moves(in rooms: borrowing Rooms) -> [Move] {
        guard case .playing = stage, let drawn = rooms[room].sale.drawnRound,
            rooms[room].sale.eventNumber != checked
        else { return [] }
        checked = rooms[room].sale.eventNumber
        let sizes = Dictionary(grouping: drawn.places.values) { $0.group }.mapValues(\.count)
        return rooms[room].sale.names.presentBidders.compactMap { bidder in
            guard let place = drawn.places[bidder], !place.isDone else { return nil }
            var notice = notice(of: drawn.round)
            (notice.group, notice.groups) = (place.group, sizes.count)
            notice.size = sizes[place.group] ?? 1
            return Move(
                bidder: bidder, from: room, to: groups[place.group - 1], notice: notice)
        }
    }

    // What the teacher sees

    /// Where the class stands, and then what each student does, in the order of their names.
    func statusLines(_ rooms: borrowing Rooms, at now: Instant) -> [ServerMessage] {
        [.classStatus(status(rooms, at: now))] + students(of: rooms).map { .student($0) }
    }

    private func status(_ rooms: borrowing Rooms, at now: Instant) -> ClassStatus {
        let newest = rooms[room].sale.drawnRound?.round
        var (round, end) = (stage.round ?? newest, rooms[room].nextOpening)
        let told: ClassStatus.Stage
        switch stage {
        case .gathering: (told, round) = (.gathering, rounds.first)
        case .reading: told = .reading
        case .counting: told = .counting
        case .short: told = .short
        case .playing:
            told = .playing
            end = open.compactMap { rooms[groups[$0.number - 1]].sale.auction.deadline }.max()
            if let firstBidsEnd { end = max(end ?? firstBidsEnd, firstBidsEnd) }
        case .results(let time): (told, end) = (.results, time)
        case .returning: told = .results
        case .over: (told, round) = (.over, nil)
        }
        var status = ClassStatus(told, round: round?.number, of: rounds.count, title: plan.title)
        status.isPaused = isPaused(rooms)
        status.remaining = end.map { max(now.duration(to: $0), .zero) }
        status.orders = Order.allCases.filter {
            if case .accept = decide($0, in: rooms) { true } else { false }
        }.compactMap { AuctioneerCommand.Verb(rawValue: $0.rawValue) }
        return status
    }

    private func students(of rooms: borrowing Rooms) -> [ClassStudent] {
        let (names, drawn) = (rooms[room].sale.names, rooms[room].sale.drawnRound)
        var known = Set(drawn?.places.keys ?? [:].keys)
        names.forEach { known.insert($0.bidder) }
        let isInRound =
            switch stage {
            case .playing, .results, .returning: true
            case .gathering, .reading, .counting, .short, .over: false
            }
        return known.sorted { $0.precedes($1) }.map { bidder in
            let place = isInRound ? drawn?.places[bidder] : nil
            let isPlaying = place.map {
                rooms[groups[$0.group - 1]].sale.names[bidder]?.isPresent == true
            }
            let state: ClassStudent.State
            if names[bidder]?.isPresent != true, isPlaying != true {
                state = .away
            } else if let place {
                let hasBid = rooms[groups[place.group - 1]].sale.hasOffered(bidder)
                state = place.isDone ? .done : hasBid ? .bid : .thinking
            } else if case .reading = stage {
                state = ready.contains(bidder) ? .ready : .reading
            } else {
                state = .here
            }
            return ClassStudent(bidder, state, group: place?.group)
        }
    }
}

/// A bot in a rising lot sets a maximum, once: bots that raised each other by the step would hold up
/// the class. With maxima alone a rising lot is a second-price auction, and no bid gains by waiting.
extension LotView {
    /// What a member may know of the open lot in the room of a group of this size.
    ///
    /// Nil if there is nothing to do: the lot has ended, or the member has never seen it, or has a
    /// maximum.
    fileprivate init?(
        of bidder: Bidder, among size: Int, in room: borrowing Room, _ turn: borrowing Turn
    ) {
        let (auction, rules) = (room.sale.auction, room.sale.auction.rules)
        let isRising = rules.format.isRising
        guard !auction.isClosed, let worth = room.sale.worth(of: bidder),
            let values = room.sale.options?.values, !isRising || auction.maximum(of: bidder) == nil
        else { return nil }
        self.init(
            lot: auction.lot.number,
            terms: Terms(
                format: isRising ? .vickrey : rules.format, seconds: rules.seconds,
                start: rules.start, step: rules.step, hasReserve: rules.reserve != nil),
            rivals: size - 1, worth: worth.amount, prior: values.range, noise: values.noise)
        follow(auction, as: bidder, at: turn.now)
        if isRising { remaining = .zero }
    }
}

extension Move {
    /// The command of a bot for a bidder who is absent.
    fileprivate func command(by bidder: Bidder, in auction: Auction) -> Auction.Command {
        if case .bid(let limit) = self, auction.rules.format.isRising {
            return .setMaximum(limit, by: bidder)
        }
        return command(by: bidder)
    }
}

extension ClassPlan {
    /// Why the class of a journal cannot go on with this plan; nil if it can.
    package func conflict(with recovered: ServerReplay) -> String? {
        let room = recovered.rooms.first { $0.name == .classroom }
        guard let room, let drawn = room.sale.drawnRound else { return nil }
        let number = drawn.round.number
        guard rounds.dropFirst(number - 1).first == drawn.round else {
            return "round \(number) of the class in the journal is another one in the file"
        }
        guard room.options.values == values else {
            return "the class in the journal has other values than the file"
        }
        return nil
    }

    /// The options of the rooms of groups.
    fileprivate var roomOptions: RoomOptions {
        var options = RoomOptions(lot: lot)
        (options.pause, options.values) = (pause, values)
        options.showsProfits = shows.contains(.values)
        return options
    }

    /// The draws of a round for a group: private values by bidder, a common value by group.
    fileprivate func game(of round: ClassRound, group: Int, seed: Seed) -> GameOptions {
        var draws = round.draw
        if case .common = values { draws = draws * 1000 + group }
        var options = GameOptions(values: values, seed: seed)
        options.draws = draws
        return options
    }
}
