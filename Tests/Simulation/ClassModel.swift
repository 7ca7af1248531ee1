import Auction
import Wire

/// A class, computed by the simulator itself from the words of its journal: rounds, groups, values
/// and what everybody has earned.
///
/// It checks each line against the plan, without the code that leads the class.
package struct ClassModel {
    /// A round as the plan has it; rounds with the same draw have the same groups and values.
    private struct Round {
        let format: AuctionFormat
        let isPractice: Bool
        let treatment: Int
        let draw: String
    }

    private struct Place: Equatable {
        let group: Int
        let lot: Int
        var hasEarned = false
    }

    /// What the lines of the room `class` lead to.
    private struct State {
        /// The newest round that began, and its line.
        var number = 0
        var words = ""
        /// Who must be drawn for it, and who is.
        var expected: Set<Bidder> = []
        var places: [Bidder: Place] = [:]
        /// The groups of the newest round before it that was played.
        var former: [Set<Bidder>] = []
        var sums: [Bidder: Tally] = [:]

        var isPlaying: Bool { places.values.contains { !$0.hasEarned } }
        var isDrawn: Bool { expected.count == places.count }
        var groups: [Int: Set<Bidder>] {
            Dictionary(grouping: places.keys) { places[$0]?.group ?? 0 }.mapValues { Set($0) }
        }
    }

    /// The newest lot in the room of a group.
    private struct GroupLot {
        var number = 0
        var isOpen = false
        var sold: SoldLot?
        var revealed: [Bidder: Int64] = [:]
    }

    private let plan: ClassPlan
    private var rounds: [Round] = []
    /// The state after each line, of which the first `published` lines were published.
    private var states = [State()]
    private var published = 0
    private var lots: [Int: GroupLot] = [:]
    /// What was drawn: numbers of draws, values, and the groups of who was there.
    private var values: [String: String] = [:]
    private var drawn: [String: Set<Set<Bidder>>] = [:]
    private var isSkipOrdered = false
    /// Whether the round must begin again, because a start has not found all who were drawn.
    private var mustBeginAgain = false
    /// Whether the teacher has paused it.
    package private(set) var isPaused = false
    /// Whether it has ended after the last round.
    package private(set) var isOver = false
    private var hasChampion = false

    package init(_ plan: ClassPlan) {
        self.plan = plan
        var (treatment, counts) = (1, [false: 0, true: 0])
        for part in plan.parts {
            for _ in 0..<part.count {
                counts[part.isPractice, default: 0] += 1
                let place = "\(part.isPractice) \(counts[part.isPractice, default: 0])"
                rounds.append(
                    Round(
                        format: part.format, isPractice: part.isPractice, treatment: treatment,
                        draw: plan.hasSameDraws ? place : "\(rounds.count)"))
            }
            if !part.isPractice { (treatment, counts) = (treatment + 1, [:]) }
        }
    }

    private var state: State { states[states.count - 1] }
    private var round: Round? { hasBegun ? rounds[state.number - 1] : nil }
    /// The number of the round that begins next.
    private var next: Int { mustBeginAgain ? state.number : state.number + 1 }

    /// Whether a round has begun, or was left out.
    package var hasBegun: Bool { state.number > 0 }
    /// Whether somebody has not earned yet what the newest round brings.
    package var isPlaying: Bool { state.isPlaying }
    /// The format of the newest round.
    package var format: AuctionFormat? { round?.format }
    /// Whether the next round is the first of its format; false if there is none.
    package var nextIsNew: Bool {
        next <= rounds.count
            && !rounds.prefix(next - 1).contains { $0.format == rounds[next - 1].format }
    }
    /// What everybody has earned who has won or paid something.
    package var sums: [Bidder: Tally] { state.sums.filter { $0.value != Tally(bidder: $0.key) } }

    // The room `class`

    /// Takes a line of the room of a group, or with nil of the room `class`, in which these bidders
    /// are present; returns what is wrong.
    package mutating func take(
        _ words: String, in group: Int?, present: Set<Bidder> = []
    ) -> Violation? {
        let line = Words(words)
        let promise: Promise? =
            if let group {
                takeLot(line, in: group)
            } else {
                switch line.verb {
                case "ROUND": begin(line, present: present)
                case "MEMBER": draw(line)
                case "EARNED": earn(line)
                case "OVER": end(line)
                case "PAUSED", "RESUMED": pause(line)
                case "CHAMPION": isChampion(line, present: present) ? nil : .earned
                default: nil
                }
            }
        return promise.map { Violation(promise: $0, facts: "\(words) in \(group ?? 0)") }
    }

    private mutating func begin(_ line: Words, present: Set<Bidder>) -> Promise? {
        guard !isOver, !isPaused, line.number(1) == next, next <= rounds.count,
            mustBeginAgain || isDone
        else { return .rounds }
        var began = state
        if !mustBeginAgain, !began.places.isEmpty { began.former = Array(began.groups.values) }
        (began.number, began.words, began.places) = (next, line.text, [:])
        began.expected = isSkipOrdered ? [] : present
        states.append(began)
        (isSkipOrdered, mustBeginAgain) = (false, false)
        let (round, draw) = (rounds[began.number - 1], line["draw"] ?? "")
        let isRight =
            line["format"] == round.format.rawValue && line["treatment"] == "\(round.treatment)"
            && (line["practice"] == "yes") == round.isPractice
            && line["members"] == "\(began.expected.count)"
            && keep(draw, of: "draw \(round.draw)") && keep(round.draw, of: "number \(draw)")
        return isRight && began.expected.count != 1 ? nil : .rounds
    }

    /// Whether the newest round was played to its end, or left out because that was ordered.
    private var isDone: Bool { state.isDrawn && !state.isPlaying }

    private mutating func draw(_ line: Words) -> Promise? {
        guard !mustBeginAgain, let (bidder, place) = line.member, !place.hasEarned,
            state.expected.contains(bidder), state.places[bidder] == nil,
            place.lot == (lots[place.group]?.number ?? 0) + 1
        else { return .groups }
        var drawn = state
        drawn.places[bidder] = place
        states.append(drawn)
        return drawn.isDrawn && !hasRightGroups() ? .groups : nil
    }

    /// Whether the groups have the sizes of the plan, are those of an equal draw before, and keep
    /// together who was, if they are fixed.
    private mutating func hasRightGroups() -> Bool {
        let groups = state.groups
        let sizes = groups.values.map(\.count).sorted()
        let former = plan.matchesAnew ? [] : state.former
        let stayed = former.map { $0.intersection(state.expected) }.filter { $0.count > 1 }
        let homes = stayed.map { stay in groups.values.first { $0.isSuperset(of: stay) } }
        guard groups.keys.sorted() == Array(1...groups.count), sizes[0] > 1,
            !homes.contains(nil), Set(homes).count == homes.count,
            !stayed.isEmpty || sizes == self.sizes(of: state.expected.count)
        else { return false }
        let draw = plan.matchesAnew ? round?.draw ?? "" : ""
        let key = "\(draw) \(state.expected.names) \(stayed.map(\.names).sorted())"
        return drawn.updateValue(Set(groups.values), forKey: key) ?? Set(groups.values)
            == Set(groups.values)
    }

    /// The sizes of all groups of this many bidders, the smallest first.
    private func sizes(of count: Int) -> [Int] {
        let (full, left) = count.quotientAndRemainder(dividingBy: plan.groupSize)
        guard full > 0 else { return [count] }
        var sizes = Array(repeating: plan.groupSize, count: full)
        if plan.rest == .smaller, left > 1 { return [left] + sizes }
        for index in 0..<left { sizes[index % full] += 1 }
        return sizes.sorted()
    }

    private mutating func earn(_ line: Words) -> Promise? {
        guard let round, let bidder = line.bidder, let place = state.places[bidder],
            !place.hasEarned, state.isDrawn, let lot = lots[place.group], lot.number == place.lot,
            !lot.isOpen, let due = gain(of: bidder, from: lot, in: place.group, round),
            line["lots"] == "\(due.lots)", line["spent"] == "\(due.spent)",
            line["profit"] == "\(due.profit)"
        else { return .earned }
        var earned = state
        earned.places[bidder]?.hasEarned = true
        if !round.isPractice {
            let sum = earned.sums[bidder] ?? Tally(bidder: bidder)
            earned.sums[bidder] = Tally(
                bidder: bidder, lots: sum.lots + due.lots, spent: sum.spent + due.spent,
                profit: sum.profit + due.profit)
        }
        states.append(earned)
        return nil
    }

    /// What a lot has brought a member of its group; nil if its value was never drawn.
    private func gain(
        of bidder: Bidder, from lot: GroupLot, in group: Int, _ round: Round
    ) -> Tally? {
        guard let sold = lot.sold else { return Tally(bidder: bidder) }
        guard sold.bidder == bidder else {
            let cost = round.format == .allpay ? lot.revealed[bidder] ?? 0 : 0
            return Tally(bidder: bidder, spent: cost, profit: -cost)
        }
        let value = values[key(ofCommonIn: group)] ?? values[key(of: bidder, in: group)]
        let price = sold.price.amount
        return value.flatMap { Int64($0) }
            .map { Tally(bidder: bidder, lots: 1, spent: price, profit: $0 - price) }
    }

    private mutating func pause(_ line: Words) -> Promise? {
        isPaused = line.verb == "PAUSED"
        return nil
    }

    private mutating func end(_ line: Words) -> Promise? {
        guard !isOver, !isPaused, isDone, state.number == rounds.count,
            line.number(1) == state.number
        else {
            return .rounds
        }
        isOver = true
        return nil
    }

    /// Whether nobody has earned more who has paid or is still there, and the score is that.
    private mutating func isChampion(_ line: Words, present: Set<Bidder>) -> Bool {
        hasChampion = true
        guard isOver, case .championNamed(let bidder, let score)? = line.event else { return false }
        let rivals = state.sums.values.filter { $0.spent > 0 || present.contains($0.bidder) }
        return state.sums[bidder]?.profit ?? 0 == score && rivals.allSatisfy { $0.profit <= score }
    }

    // The rooms of the groups

    private mutating func takeLot(_ line: Words, in group: Int) -> Promise? {
        let before = lots[group] ?? GroupLot()
        follow(line.event, in: group)
        switch line.event {
        case .lotOpened(let lot)?:
            let members = state.places.values.filter { $0.group == group }
            let title = "\(round?.isPractice == true ? "Practice" : "Round") \(state.number)"
            let isRight =
                state.isDrawn && !before.isOpen && lot.number == before.number + 1
                && lot.title == title && !members.isEmpty
                && members.allSatisfy { $0.lot == lot.number && !$0.hasEarned }
            return isRight ? nil : .rounds
        case .bidPlaced(let bid)?: return isMember(bid.bidder, of: group) ? nil : .groups
        default: break
        }
        switch line.verb {
        case "DRAWN": return keepValue(line, key(ofCommonIn: group))
        case "WORTH":
            // Who has lost the connection in an earlier round may still count as present.
            guard let bidder = line.bidder, isMember(bidder, of: group) else { return nil }
            return keepValue(line, key(of: bidder, in: group))
        case "BID", "MAX":
            return line.bidder.map { isMember($0, of: group) } == true ? nil : .groups
        default: return nil
        }
    }

    private mutating func follow(_ event: SaleEvent?, in group: Int) {
        switch event {
        case .lotOpened(let lot)?: lots[group] = GroupLot(number: lot.number, isOpen: true)
        case .lotSold(let sold)?:
            lots[group]?.sold = sold
            lots[group]?.isOpen = false
        case .lotPassed?: lots[group]?.isOpen = false
        case .bidRevealed(let bid)?: lots[group]?.revealed[bid.bidder] = bid.price.amount
        default: break
        }
    }

    private func key(ofCommonIn group: Int) -> String { "common \(round?.draw ?? "") \(group)" }

    /// What decides a worth: an estimate is of the common value of a group.
    private func key(of bidder: Bidder, in group: Int) -> String {
        let isCommon = if case .common = plan.values { true } else { false }
        return "\(bidder) \(round?.draw ?? "")\(isCommon ? " \(group)" : "")"
    }

    private mutating func keepValue(_ line: Words, _ key: String) -> Promise? {
        keep(line.last, of: key) ? nil : .sameValue
    }

    /// Keeps what was drawn; false if it was drawn otherwise before.
    private mutating func keep(_ value: String, of key: String) -> Bool {
        values.updateValue(value, forKey: key) ?? value == value
    }

    private func isMember(_ bidder: Bidder, of group: Int) -> Bool {
        state.places[bidder]?.group == group
    }

    // What else is decided

    /// Notes that the teacher ends the round that is played, or leaves out the next one.
    package mutating func skip() {
        isSkipOrdered = !isPlaying
    }

    /// Whether a bidder may be in the room of a group, while its round is played.
    package func admits(_ bidder: Bidder, to group: Int) -> Bool {
        isMember(bidder, of: group) && state.isDrawn && isPlaying
    }

    /// Whether a notice is right; that of a group is sent to a member of it.
    package func isTrue(_ notice: ClassNotice, to bidder: Bidder?) -> Bool {
        let number = notice.group == nil ? next : state.number
        guard rounds.indices.contains(number - 1), notice.round == number,
            notice.format == rounds[number - 1].format, notice.rounds == rounds.count,
            notice.title == plan.title,
            notice.isPractice == rounds[number - 1].isPractice
        else { return false }
        guard let group = notice.group else { return notice.size == plan.groupSize }
        return bidder.map { admits($0, to: group) } == true
            && notice.groups == state.groups.count && notice.size == state.groups[group]?.count
    }

    /// Whether these were the sums of a bidder after some line.
    package func hasHad(_ sum: Tally) -> Bool {
        states.contains { $0.sums[sum.bidder] ?? Tally(bidder: sum.bidder) == sum }
    }

    /// Requires after a step that each lot which has ended has brought its members what it must, and
    /// that the class has not ended without a champion.
    package func checkSettled() -> Violation? {
        if isOver, !hasChampion, state.sums.values.contains(where: { $0.lots > 0 }) {
            return Violation(promise: .earned, facts: "no champion is named")
        }
        let late = state.places.first { _, place in
            !place.hasEarned && lots[place.group]?.number == place.lot
                && lots[place.group]?.isOpen == false
        }
        return late.map { Violation(promise: .earned, facts: "\($0.key) has earned nothing yet") }
    }

    // What is published, and starts

    /// Notes that the next line was published of those that tell of a round and its members.
    package mutating func publish() {
        published += 1
    }

    /// Continues with the lines of state of the room `class` that a start has found, and the news of
    /// that room, under 0, and of the rooms of the groups; every published line must be in it.
    package mutating func recover(_ state: [String], news: [Int: [String]]) -> Violation? {
        let lines = state.map { Words($0) }
        let words = lines.last { $0.verb == "ROUND" }?.text ?? ""
        let places = Dictionary(lines.compactMap(\.member)) { $1 }
        let found = states.indices.dropFirst(published).last {
            // A round that was left out keeps the places of the one before.
            states[$0].words == words
                && (states[$0].places == places || states[$0].expected.isEmpty)
        }
        guard let found else {
            return Violation(promise: .kept, facts: "of \(words) there is \(places)")
        }
        states = Array(states[...found])
        (published, isSkipOrdered, mustBeginAgain) = (found, false, !self.state.isDrawn)
        isOver = news[0]?.contains { $0.hasPrefix("OVER ") } == true
        hasChampion = news[0]?.contains { $0.hasPrefix("CHAMPION ") } == true
        isPaused = news[0]?.last { $0 == "PAUSED" || $0 == "RESUMED" } == "PAUSED"
        lots = [:]
        for (group, words) in news {
            for line in words { follow(Words(line).event, in: group) }
        }
        return nil
    }

    /// A line of the journal.
    private struct Words {
        let text: String
        private let words: [Substring]

        init(_ text: String) {
            self.text = text
            words = text.split(separator: " ")
        }

        var verb: Substring { words.first ?? "" }
        var last: String { words.last.map(String.init) ?? "" }
        var bidder: Bidder? { words.dropFirst().first.flatMap { Bidder(String($0)) } }
        var event: SaleEvent? { ServerMessage(text: text)?.event }
        var member: (Bidder, Place)? {
            guard verb == "MEMBER", let bidder, let group = number(2), let lot = number(3) else {
                return nil
            }
            return (bidder, Place(group: group, lot: lot, hasEarned: last == "done"))
        }

        func number(_ place: Int) -> Int? { words.count > place ? Int(words[place]) : nil }

        subscript(name: String) -> String? {
            words.first { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.utf8.count + 1)) }
        }
    }
}

extension Set<Bidder> {
    fileprivate var names: String { map(\.description).sorted().joined(separator: " ") }
}
