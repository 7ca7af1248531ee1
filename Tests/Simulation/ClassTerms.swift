import Auction
import TestSupport
import Wire

// What a class plays, and what its members and its teacher do.
extension ClassPlan {
    init(using dice: inout SplitMix64) {
        self.init()
        groupSize = .random(in: 2...4, using: &dice)
        (matchesAnew, hasSameDraws) = (!dice.chance(in: 3), dice.chance(in: 2))
        rest = dice.pick(Rest.allCases)
        let amounts = GameTerms.secretAmounts
        values = dice.chance(in: 3) ? .common(amounts, noise: 90_000_000) : .personal(amounts)
        var left = Int.random(in: 2...5, using: &dice)
        while left > 0 {
            let format = dice.pick(AuctionFormat.allCases)
            if left > 1, dice.chance(in: 3) {
                parts.append(Part(1, format, isPractice: true))
                left -= 1
            }
            let count = Int.random(in: 1...left, using: &dice)
            parts.append(
                Part(count, dice.chance(in: 4) ? dice.pick(AuctionFormat.allCases) : format))
            left -= count
        }
        substitute = dice.chance(in: 2) ? dice.pick(StrategyKind.allCases) : nil
        lot.seconds = .random(in: 1...3, using: &dice)
        if dice.chance(in: 4) { lot.reserve = Price(.random(in: 1...60, using: &dice)) }
        if dice.chance(in: 4) { lot.step = Price(.random(in: 1...9, using: &dice)) }
        pause = .seconds(Int.random(in: 0...3, using: &dice))
        shows = Set(Shown.allCases.filter { _ in dice.chance(in: 2) })
    }
}

extension Action {
    /// How the clients of a class come together, and the last of them starts it.
    static func gathering(of clients: Int, using dice: inout SplitMix64) -> [Action] {
        (0..<clients).map { client in
            let isLast = client == clients - 1
            return Action(
                at: .random(in: 0...1_500_000_000, using: &dice) + .seconds(isLast ? 1 : 0),
                isLast ? .teach : .attend, client: client, seed: dice.next())
        }
    }
}

extension Action.Kind {
    /// What is done where there is a class.
    static let ofClass = [
        attend, teach,
        Self("stray in a class", 90) { client, dice in
            let names = (1...2).compactMap { RoomName("class-\($0)") } + [.classroom, .main]
            client.join(dice.pick(names))
            if dice.chance(in: 2) { client.claimOwnName() }
        },
        Self("crash in a class", 40) { client, dice in
            let crash = Crash(using: &dice)
            client.inRound(using: &dice) { $0.world.suffer(crash) }
        },
        Self("power cut in a round", 40) { client, dice in
            let crash = Crash(using: &dice, inNextWrite: true)
            client.inRound(atOnce: true, using: &dice) { $0.world.suffer(crash) }
        },
        Self("order in a round", 110) { client, dice in
            let verb = dice.pick([.skip, .pause, .pause, .kick] as [AuctioneerCommand.Verb])
            let pause = Duration.random(in: 0...4_000_000_000, using: &dice)
            client.world.teacher.inRound(using: &dice) { teacher in
                teacher.rule(verb, isProven: true)
                teacher.world.at(teacher.world.now + pause) { [teacher] in
                    teacher.rule(.resume, isProven: true)
                }
            }
        },
        Self("leave a round", 120) { client, dice in
            var dice = SplitMix64(seed: dice.next())
            let absence = Duration.random(in: 0...3_000_000_000, using: &dice)
            client.inRound(using: &dice) { client in
                dice.chance(in: 2) ? client.reset(using: &dice) : client.quit(using: &dice)
                client.world.at(client.world.now + absence) { client.attend(using: &dice) }
            }
        },
    ]

    fileprivate static let attend = Self("attend a class", 330) { client, dice in
        client.attend(using: &dice)
    }

    fileprivate static let teach = Self("teach a class", 100) { client, dice in
        let verbs: [AuctioneerCommand.Verb] = [.start, .start, .start, .skip, .pause, .resume]
        let teacher = client.world.teacher
        teacher.rule(dice.chance(in: 15) ? .kick : dice.pick(verbs), isProven: true)
        if dice.chance(in: 3) { teacher.join(.classroom) }
    }
}

extension World {
    /// The client that leads the class.
    var teacher: Client { clients[clients.count - 1] }
}

extension Client {
    /// Takes its name in the class, and says that it has read the instructions.
    fileprivate func attend(using dice: inout SplitMix64) {
        guard self !== world.teacher else { return }
        let isNamedFirst = dice.chance(in: 2)
        if isNamedFirst, bidder == nil { claimOwnName() }
        if room?.isOfClass != true || dice.chance(in: 5) { join(.classroom) }
        if !isNamedFirst, bidder == nil { claimOwnName() }
        send("ready", .ready)
    }

    /// Does something after some lines of a round, in the middle of what follows from them.
    fileprivate func inRound(
        atOnce: Bool = false, using dice: inout SplitMix64,
        _ action: @escaping (Client) -> Void
    ) {
        let most: Int64 = atOnce ? 0 : dice.chance(in: 2) ? 4_000_000 : 900_000_000
        let delay = Duration.random(in: 0...most, using: &dice)
        world.oracle.classroom?.after(.random(in: 1...40, using: &dice)) { [self] in
            world.at(world.now + delay) { [self] in action(self) }
        }
    }

    /// Takes part in the class, as the teacher or as a student, as long as it lasts.
    func attendOrderly(until end: Duration) {
        guard world.now < end, world.oracle.classroom?.isOver == false else { return }
        if self === world.teacher, bidder != nil {
            send("quit", .quit)
        } else if self === world.teacher {
            for verb in [.start, .resume] as [AuctioneerCommand.Verb] { rule(verb, isProven: true) }
        } else if connect() != nil {
            if room?.isOfClass != true { join(.classroom) }
            if bidder == nil { claimOwnName() }
            send("ready", .ready)
        }
        world.at(world.now + .seconds(4)) { [self] in attendOrderly(until: end) }
    }
}
