import Auction
import Basics
import Strategies
import Wire

/// A class: it plays the rounds of its plan in the rooms of groups, and moves its members there.
///
/// All wait in the room `class`, whose sale has what must survive a restart: the newest round, who
/// plays it where, and what everybody has earned. The rooms of the groups are `class-1`, `class-2`
/// and so on; each has one lot for each round that its group plays.
struct Classroom {
    /// The longest time that a result stays in sight before everybody is back in the room `class`.
    private static let restTime = Duration.seconds(5)
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
    private var open: [Group] = []
    /// The members who have been in the rooms of their groups since their lots opened.
    private var arrived: Set<Bidder> = []
    /// When lots end for which no countdown runs; nil while the class is paused.
    ///
    /// A group that never bids, or is away, would hold up all others.
    private var firstBidsEnd: Instant?
    /// The number of the newest event of `class` when its members were last moved.
    private var checked = -1

    private typealias Group = (group: Int, lot: Int, bidders: [Bidder])

    private enum Stage: Equatable {
        /// The teacher has not started the class.
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
        case resting(until: Instant?)
        /// Everybody moves back to the room `class`.
        case returning
        case over
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
    init(_ plan: ClassPlan, in rooms: inout Rooms, _ turn: inout Turn) {
        (self.plan, rounds) = (plan, plan.rounds)
        rooms.endUnusedRoomsOfClass(&turn)
        var options = plan.roomOptions
        (options.waits, options.showsProfits) = (true, plan.shows.contains(.standings))
        room = rooms.id(of: .classroom) ?? rooms.openForClass(.classroom, options, &turn)
        while let next = RoomName(group: groups.count + 1), let id = rooms.id(of: next) {
            groups.append(id)
        }
        guard let lesson = rooms[room].sale.lesson else { return }
        openRooms(ofGroups: lesson.places.values.map(\.group).max() ?? 0, in: &rooms, &turn)
        shown = Set(rounds.prefix(lesson.round.number).map(\.format))
        stage = lesson.isDone ? .resting(until: turn.now) : .playing
        open = lesson.openGroups
        endOtherLots(in: &rooms, &turn)
        if rooms[room].sale.isOver { stage = .over }
        waitForFirstBids(turn)
        proceed(in: &rooms, &turn)
    }

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
            let lot = open.first { $0.group == index + 1 }?.lot
            if rooms[id].sale.auction.lot.number != lot { rooms[id].obey(.close, &turn) }
        }
    }

    /// When `advance` is next due; nil if only input can change anything.
    var deadline: Instant? {
        switch stage {
        case .resting(let end): end
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
        case .gathering, .playing, .resting, .returning, .over: break
        }
    }

    private func notice(
        of round: ClassRound, group: (number: Int, of: Int)? = nil, size: Int? = nil
    ) -> ClassNotice {
        ClassNotice(
            round: round.number, of: rounds.count, format: round.format,
            isPractice: round.isPractice, group: group, size: size ?? plan.groupSize)
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
        return rooms[room].sale.lesson?.places[bidder]?.group == group + 1
    }

    // Commands

    /// What an order of the teacher causes.
    enum Decision {
        /// It is refused.
        case refuse(ErrorReply)
        /// It is accepted, and then this is done.
        case accept((inout Classroom, inout Rooms, inout Turn) -> Void)
    }

    /// Decides an order of the teacher.
    func decide(_ order: AuctioneerCommand.Verb, in rooms: borrowing Rooms) -> Decision {
        switch (order, stage) {
        case (.start, .gathering): .accept { $0.introduce(after: 0, in: &$1, &$2) }
        case (.start, .reading(let round)), (.resume, .counting(let round)):
            .accept { $0.count(to: round, in: &$1, &$2) }
        case (.start, .counting(let round)) where !isShort(rooms):
            .accept { _ = $0.begin(round, in: &$1, &$2) }
        case (.start, .counting), (.start, .short): .refuse(.classTooSmall)
        case (.start, .over): .refuse(.classOver)
        case (.skip, .reading(let round)), (.skip, .counting(let round)),
            (.skip, .short(let round)):
            .accept { $0.leaveOut(round, in: &$1, &$2) }
        case (.skip, .playing): .accept { $0.obeyInGroups(.close, in: &$1, &$2) }
        case (.pause, .counting):
            .accept { classroom, rooms, _ in rooms[classroom.room].cancelOpening() }
        case (.pause, .resting):
            .accept { classroom, _, _ in classroom.stage = .resting(until: nil) }
        case (.resume, .resting): .accept { classroom, _, turn in classroom.rest(&turn) }
        case (.pause, .playing):
            .accept {
                $0.firstBidsEnd = nil
                $0.obeyInGroups(.pause, in: &$1, &$2)
            }
        case (.resume, .playing):
            .accept {
                $0.waitForFirstBids($2)
                $0.obeyInGroups(.resume, in: &$1, &$2)
            }
        default: .refuse(.notNow)
        }
    }

    private func obeyInGroups(
        _ command: Auction.Command, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        for id in groups { rooms[id].obey(command, &turn) }
    }

    private mutating func leaveOut(
        _ round: ClassRound, in rooms: inout Rooms, _ turn: inout Turn
    ) {
        rooms[room].cancelOpening()
        rooms[room].commit(.roundBegan(round), &turn)
        introduce(after: round.number, in: &rooms, &turn)
    }

    /// Notes that a connection holds the name of a bidder, who may have to be moved.
    mutating func noteArrival() {
        checked = -1
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
        case .gathering, .returning, .over: return []
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
        case .resting(let end):
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
        rooms[room].tellPeople(&turn)
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
        let former = rooms[room].sale.lesson?.groups.map(\.bidders) ?? []
        let drawn = plan.groups(
            of: rooms[room].sale.names.presentBidders, in: round, seed: seed, keeping: former)
        rooms[room].commit(.roundBegan(round), &turn)
        openRooms(ofGroups: drawn.count, in: &rooms, &turn)
        for (index, bidders) in drawn.enumerated() {
            let lot = rooms[groups[index]].sale.auction.lot.number + 1
            for bidder in bidders {
                let place = ClassPlace(group: index + 1, lot: lot)
                rooms[room].commit(.memberDrawn(bidder, place), &turn)
            }
        }
        (stage, checked) = (.playing, -1)
        (open, arrived) = (rooms[room].sale.lesson?.openGroups ?? [], [])
        waitForFirstBids(turn)
        return true
    }

    private mutating func waitForFirstBids(_ turn: borrowing Turn) {
        firstBidsEnd = turn.now.advanced(by: .seconds(plan.lot.seconds ?? 0))
    }

    /// Ends the lots that had their full seconds without a countdown.
    private mutating func endUnwanted(in rooms: inout Rooms, _ turn: inout Turn) {
        guard let end = firstBidsEnd, end <= turn.handledUntil else { return }
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
            return introduce(after: rooms[room].sale.lesson?.round.number ?? 0, in: &rooms, &turn)
        }
        guard case .playing = stage, let round = rooms[room].sale.lesson?.round,
            let seed = rooms[room].sale.options?.seed
        else { return }
        for (group, lot, _) in open where rooms[groups[group - 1]].sale.auction.lot.number < lot {
            let options = plan.game(of: round, group: group, seed: seed)
            rooms[groups[group - 1]].openLot(plan.lotPlan(for: round), options, &turn)
            rooms.touch(groups[group - 1])
        }
    }

    /// Records what the lots that have ended have brought, and rests when all have.
    private mutating func settle(in rooms: inout Rooms, _ turn: inout Turn) {
        if plan.leavers == .equilibrium { bidForLeavers(in: &rooms, &turn) }
        for (group, lot, bidders) in open {
            let id = groups[group - 1]
            let newest = rooms[id].sale.auction.lot.number
            // Without the class the room may have gone on with lots of its own.
            guard newest > lot || newest == lot && rooms[id].sale.result != nil else { continue }
            let tallies = newest == lot ? rooms[id].sale.newestTallies : []
            for bidder in bidders where rooms[room].sale.lesson?.places[bidder]?.isDone == false {
                let tally = tallies.first { $0.bidder == bidder } ?? Tally(bidder: bidder)
                rooms[room].commit(.memberEarned(tally), &turn)
            }
            open.removeAll { $0.group == group }
        }
        if open.isEmpty { rest(&turn) }
    }

    /// Bids for the members who have left during the round what an equilibrium bids, once.
    private mutating func bidForLeavers(in rooms: inout Rooms, _ turn: inout Turn) {
        for (group, _, bidders) in open {
            let id = groups[group - 1]
            for bidder in bidders {
                if rooms[id].sale.names[bidder]?.isPresent == true {
                    arrived.insert(bidder)
                } else if arrived.contains(bidder),
                    let worth = rooms[id].sale.worth(of: bidder),
                    let price = plan.equilibriumBid(
                        of: worth, in: rooms[id].sale.auction.rules, bidders: bidders.count)
                {
                    rooms[id].bid(price, forAbsent: bidder, &turn)
                    rooms.touch(id)
                }
            }
        }
    }

    private mutating func rest(_ turn: inout Turn) {
        stage = .resting(until: turn.now.advanced(by: min(Self.restTime, plan.pause)))
    }

    /// The members who are in the room `class` while the lots of their groups are open.
    private mutating func moves(in rooms: borrowing Rooms) -> [Move] {
        guard case .playing = stage, let lesson = rooms[room].sale.lesson,
            rooms[room].sale.eventNumber != checked
        else { return [] }
        checked = rooms[room].sale.eventNumber
        let sizes = Dictionary(grouping: lesson.places.values) { $0.group }.mapValues(\.count)
        return rooms[room].sale.names.presentBidders.compactMap { bidder in
            guard let place = lesson.places[bidder], !place.isDone else { return nil }
            let notice = notice(
                of: lesson.round, group: (place.group, sizes.count), size: sizes[place.group])
            return Move(
                bidder: bidder, from: room, to: groups[place.group - 1], notice: notice)
        }
    }
}

extension ClassPlan {
    /// The options of the rooms of groups.
    fileprivate var roomOptions: RoomOptions {
        var options = RoomOptions(lot: lot)
        (options.pause, options.values) = (pause, values)
        options.showsProfits = shows.contains(.values)
        return options
    }

    /// What an equilibrium bids in a group; nil if it does not bid.
    ///
    /// Of a common value it takes what it expects if its estimate is the highest.
    fileprivate func equilibriumBid(of worth: Worth, in rules: Rules, bidders: Int) -> Price? {
        var value = Double(worth.amount)
        if case .common(_, let noise) = values {
            let auction = CommonValueAuction(
                amounts: values.range, noise: noise, bidders: bidders)
            value = auction.valueIfHighest(value)
        }
        let auction = PrivateValueAuction(
            values: values.range, bidders: bidders, format: rules.format, start: rules.start)
        return auction.bid(of: value, in: rules.format).flatMap { Price(Int64($0.rounded())) }
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

extension RoomName {
    /// The room in which a class waits.
    static let classroom: RoomName = {
        guard let name = RoomName("class") else { preconditionFailure("class is a name") }
        return name
    }()

    /// The room of a group of a class.
    init?(group: Int) {
        self.init("class-\(group)")
    }

    /// The number of the group whose room has this name; nil if it is none of a group.
    package var group: Int? {
        guard let number = Int(description.dropFirst(6)), number > 0 else { return nil }
        return RoomName(group: number) == self ? number : nil
    }

    /// Whether it is the room of a class, or of a group.
    var isOfClass: Bool { self == .classroom || group != nil }

    /// Whether only a class can open a room of this name.
    var isReserved: Bool { self == .classroom || description.hasPrefix("class-") }
}
