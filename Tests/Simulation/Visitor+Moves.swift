import AuctionRules
import Wire

extension Visitor {
    /// Does what the plan says.
    func make(_ move: Move) {
        world.trace("\(name) is to \(move)")
        switch move {
        case .watch: connect()
        case .name(let proof): claim(proof)
        case .bid(let offer): bid(offer)
        case .snipe(let offer, let early): snipe = (offer, early)
        case .ask(let question): say(question.words, .question)
        case .mumble(let nonsense): mumble(nonsense)
        case .rule(let verb, let isProven): rule(verb, isProven: isProven)
        case .useJSON(let isJSON):
            let wanted: Format = isJSON ? .json : .text
            say("format \(wanted.rawValue)", .format(wanted))
        case .quit: say("quit", .quit)
        case .hangUp: hangUp()
        case .reset: reset()
        case .vanish: vanish()
        case .stopReading(let duration): stopReading(for: duration)
        case .chatter(let count): for number in 0..<count { chatter(number) }
        case .guess(let count): for _ in 0..<count { sayWrongToken() }
        case .stammer(let duration): stammer(for: duration)
        }
    }

    private func claim(_ proof: Proof) {
        switch proof {
        case .own: sayName(name, token: tokens[name])
        case .forgotten: sayName(name, token: nil)
        case .wrong: sayName(name, token: String(dice.next(), radix: 16))
        case .stolen: sayName(neighbour.name, token: tokens[name])
        case .lent: sayName(neighbour.name, token: neighbour.tokens[neighbour.name])
        }
    }

    private var neighbour: Visitor { world.visitors[(index + 1) % world.visitors.count] }

    private func sayName(_ name: Bidder, token: String?) {
        let words = "name \(name)" + (token.map { " \($0)" } ?? "")
        say(words, .name(name, token: token))
    }

    /// Bids, under the own name if there is none yet.
    func bid(_ offer: Offer) {
        guard let connection = connect() else { return }
        if speakers(on: connection).isEmpty { sayName(name, token: tokens[name]) }
        let speakers = speakers(on: connection)
        guard let speaker = speakers.first, speakers.count == 1 else { return }
        let amount = min(max(amount(of: offer), 1), Price.highest.amount)
        lastBid = amount
        world.witness.asked[Witness.key(speaker, amount), default: 0] += 1
        say(dice.chance(in: 4) ? "\(amount)" : "bid \(amount)", .bid(amount, by: speaker))
    }

    /// Who it is, or may be when what it said has been heard.
    private func speakers(on connection: Connection) -> Set<Bidder> {
        if let bidder { return [bidder] }
        return Set(
            connection.pending.compactMap { command in
                if case .name(let bidder, _) = command.kind { bidder } else { nil }
            })
    }

    private func amount(of offer: Offer) -> Int64 {
        switch offer {
        case .least: minimum
        case .more(let more): minimum + more
        case .equal: price ?? minimum
        case .low: minimum - .random(in: 1...10, using: &dice)
        case .highest: Price.highest.amount
        case .again: lastBid ?? minimum
        }
    }

    private func mumble(_ nonsense: Nonsense) {
        switch nonsense {
        case .empty: mutter(Array(" \t\n".utf8))
        case .telnet: mutter([255, 253, 1, 255, 251, 3])
        case .unknown: say("hello there", .nonsense(.unknownCommand))
        case .tooLong:
            say("(too long)", .nonsense(.lineTooLong), bytes: [UInt8](repeating: 120, count: 1500))
        case .notUTF8: say("(not UTF-8)", .nonsense(.notUTF8), bytes: [0x70, 0xC3, 0x28])
        case .badAmount: say("bid 12x", .nonsense(.badAmount))
        case .badTag: say("#? ping", .nonsense(.badArguments), bytes: Array("#? ping".utf8))
        }
    }

    private func rule(_ verb: AuctioneerCommand.Verb, isProven: Bool) {
        guard let connection = connect() else { return }
        let claims = connection.commands.map(\.kind)
        if isProven, !claims.contains(.auctioneer(isTrue: true)) {
            say("auctioneer \(Self.auctioneerToken)", .auctioneer(isTrue: true))
        } else if !isProven {
            sayWrongToken()
        }
        let isTrue = connection.commands.contains { $0.kind == .auctioneer(isTrue: true) }
        let words = verb == .kick ? "kick \(neighbour.name) for a reason" : verb.rawValue
        say(words, .ruling(verb, isProven: isTrue))
    }

    private func sayWrongToken() {
        say("auctioneer \(Self.auctioneerToken.dropLast())f", .auctioneer(isTrue: false))
    }

    private func chatter(_ number: Int) {
        say(Question.allCases[number % Question.allCases.count].words, .question)
    }

    private func stammer(for duration: Duration) {
        guard let connection = connect() else { return }
        connection.commands.append(Command(kind: .question, tag: nil, invoked: world.now))
        connection.say(Array("pi".utf8))
        connection.hesitate()
        connection.say(Array("ng\n".utf8))
        world.at(world.now + duration) { connection.goOn() }
    }

    private func hangUp() {
        guard let connection, !connection.isHungUp else { return }
        connection.goOn()
        connection.isHungUp = true
        connection.whenAllArrived { [world] in
            $0.hasEnded = true
            world.house?.wake(for: $0)
        }
    }

    private func reset() {
        guard let lost = abandonConnection() else { return }
        if dice.chance(in: 2) { lost.cut() }
        breaks(lost, after: .random(in: 0...50_000_000, using: &dice))
    }

    private func vanish() {
        guard let lost = abandonConnection() else { return }
        lost.cut()
        breaks(lost, after: .random(in: 0...20_000_000_000, using: &dice))
    }

    /// Lets the server learn some time that a connection is broken.
    private func breaks(_ lost: Connection, after delay: Duration) {
        world.trace("\(name) is gone")
        world.at(world.now + delay) { [world] in
            lost.cut()
            lost.hasBroken = true
            world.house?.wake(for: lost)
        }
    }
}

extension Question {
    fileprivate var words: String {
        switch self {
        case .laps: "laps"
        case .allLaps: "laps 1 1000"
        case .results: "results 1 1000"
        case .who: "who"
        case .status: "status"
        case .ping: "ping"
        case .help: "help"
        }
    }
}
