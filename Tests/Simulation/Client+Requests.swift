import Auction
import House
import TestSupport
import Wire

// What a client asks for in whatever room it is.
extension Client {
    func claimOwnName() {
        sendName(name, token: tokens[name])
    }

    /// Claims its own name or another client's, with a right or a wrong token, or without one.
    func claim(using dice: inout SplitMix64) {
        let neighbour = world.clients[(index + 1) % world.clients.count]
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: claimOwnName()
        case 1: sendName(name, token: nil)
        case 2: sendName(name, token: String(dice.next(), radix: 16))
        case 3: sendName(neighbour.name, token: tokens[name])
        default: sendName(neighbour.name, token: neighbour.tokens[neighbour.name])
        }
    }

    func sendName(_ name: Bidder, token: String?) {
        let words = "name \(name)" + (token.map { " \($0)" } ?? "")
        send(words, .name(name, token: token))
    }

    /// Bids, under its own name if it has none yet.
    func bid(using dice: inout SplitMix64) {
        guard let connection = connect() else { return }
        if possibleNames(on: connection).isEmpty { claimOwnName() }
        let names = possibleNames(on: connection)
        guard let bidder = names.first, names.count == 1 else { return }
        let amount = amounts.drawBid(hasSecrets: world.plan.terms.hasSecrets, using: &dice)
        world.oracle.amounts.noteAsked(amount, by: bidder)
        let lot = drawLot(using: &dice)
        let line = (dice.chance(in: 4) ? "\(amount)" : "bid \(amount)") + lot.words
        send(line, .bid(amount, by: bidder, forLot: lot))
    }

    /// Takes the asking price, buys, or sets a maximum, under its own name if it has none yet.
    func offer(using dice: inout SplitMix64) {
        guard let connection = connect() else { return }
        if possibleNames(on: connection).isEmpty { claimOwnName() }
        let names = possibleNames(on: connection)
        guard let bidder = names.first, names.count == 1 else { return }
        let lot = drawLot(using: &dice)
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<2: send("take" + lot.words, .offer("take", forLot: lot))
        case 2: send("buy" + lot.words, .offer("buy", forLot: lot))
        case 3: send("max 0" + lot.words, .offer("max", forLot: lot))
        default:
            let neighbour = world.clients[(index + 1) % world.clients.count]
            let amount = amounts.drawMaximum(neighbour.amounts, using: &dice)
            world.oracle.amounts.noteAsked(amount, by: bidder)
            send("max \(amount)" + lot.words, .offer("max", forLot: lot))
        }
    }

    /// The lot that an offer is for: often the newest, and sometimes the one before or after it.
    private func drawLot(using dice: inout SplitMix64) -> Int? {
        guard let room, dice.chance(in: 2) else { return nil }
        return max(room.decided.lots.count + dice.pick([0, 0, 0, 0, -1, 1]), 1)
    }

    func say(using dice: inout SplitMix64) {
        guard connect() != nil else { return }
        if bidder == nil { claimOwnName() }
        send("say \(dice.pick(["hello", "who bids more?", "nobody"]))", .say)
    }

    func display(using dice: inout SplitMix64) {
        guard connect() != nil else { return }
        if bidder == nil { claimOwnName() }
        let text: String? = dice.pick([nil, "Zoë", "ZOË", "O'Neill", "Алиса", "\(name)"])
        send("display" + (text.map { " \($0)" } ?? ""), .display(text))
    }

    func react(using dice: inout SplitMix64) {
        guard connect() != nil else { return }
        if bidder == nil { claimOwnName() }
        let reaction = dice.pick(Reaction.allCases)
        send("react \(reaction.rawValue)", .react(reaction))
    }

    /// Its name, or the names that it may have when the server has handled what it sent.
    private func possibleNames(on connection: Connection) -> Set<Bidder> {
        if let bidder { return [bidder] }
        return Set(
            connection.pending.compactMap { command in
                if case .name(let bidder, _) = command.kind { bidder } else { nil }
            })
    }

    func ask(_ question: Question) {
        let isAboutResults = question == .results
        let ended = room?.decided.endedCount ?? 0
        send(question.rawValue, isAboutResults ? .results(ended: ended) : .question)
    }

    /// Asks for missed news, often on a new connection: after what it received, all, or too much.
    func resume(using dice: inout SplitMix64) {
        if dice.chance(in: 2) { reset(using: &dice) }
        // A new connection is in the main room.
        let newest = newestNews[room?.id ?? ""] ?? 0
        let number =
            switch Int.random(in: 0..<10, using: &dice) {
            case 0..<6: newest
            case 6..<8: 0
            case 8: Int.random(in: 0...newest, using: &dice)
            default: newest + 1_000_000
            }
        send("resume \(number)", .resume(after: number))
    }

    func sendNonsense(using dice: inout SplitMix64) {
        guard !isVisitor || dice.chance(in: 3) else { return sendFrames(using: &dice) }
        switch Int.random(in: isVisitor ? 2..<6 : 0..<7, using: &dice) {
        case 0: connect()?.send(Array(" \t\n".utf8))
        case 1: connect()?.send([255, 253, 1, 255, 251, 3])
        case 2: send("hello there", .nonsense(.unknownCommand))
        case 3:
            let bytes = [UInt8](repeating: 120, count: 1500)
            send("(too long)", .nonsense(.lineTooLong), bytes: bytes)
        case 4: send("bid 12x", .nonsense(.badAmount))
        case 5: send("#? ping", .nonsense(.badArguments), bytes: Array("#? ping".utf8))
        default: send("(not UTF-8)", .nonsense(.notUTF8), bytes: [0x70, 0xC3, 0x28])
        }
    }

    /// Sends the end of a line this much later than its beginning, and nothing in between.
    func sendSlowly(over duration: Duration) {
        guard let connection = connect() else { return }
        connection.commands.append(Command(.question, tag: nil, at: world.now, in: room))
        let line = socket?.message(Array("ping".utf8), isSplit: true) ?? Array("ping\n".utf8)
        connection.send(Array(line.prefix(2)))
        connection.holdBack()
        connection.sendUnit(Array(line.dropFirst(2)))
        world.at(world.now + duration) { connection.goOn() }
    }
}

extension Int? {
    /// The end of an offer for the lot of this number.
    fileprivate var words: String { map { " lot=\($0)" } ?? "" }
}

/// A request that is answered at any time.
enum Question: String, CaseIterable {
    case laps, allLaps = "laps 1 1000", results = "results 1 1000", who, status, ping, help
    case standings
}
