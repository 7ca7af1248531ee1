import Auction
import DiskSupport
import TestSupport
import Wire

/// Something that is done to the server at a time.
package struct Action: Sendable {
    /// What is done: its name, how often it is drawn, and how it is done, with what it leaves open
    /// drawn from the action's own seed.
    struct Kind: Sendable {
        let name: String
        let weight: Int
        let perform: @Sendable (Client, inout SplitMix64) -> Void

        init(
            _ name: String, _ weight: Int,
            _ perform: @escaping @Sendable (Client, inout SplitMix64) -> Void
        ) {
            (self.name, self.weight, self.perform) = (name, weight, perform)
        }

        static func draw(from kinds: [Kind], using dice: inout SplitMix64) -> Kind {
            var left = Int.random(in: 0..<kinds.reduce(0) { $0 + $1.weight }, using: &dice)
            return kinds.first { kind in
                left -= kind.weight
                return left < 0
            } ?? kinds[0]
        }
    }

    let at: Duration
    let kind: Kind
    /// The client that does it, or is there when a machine does it.
    let client: Int
    let seed: UInt64

    init(at time: Duration, _ kind: Kind, client: Int, seed: UInt64) {
        (at, self.kind, self.client, self.seed) = (time, kind, client, seed)
    }

    /// The names of all kinds.
    package static let names = (Kind.all + Kind.ofRooms + Kind.ofClass).map(\.name)
}

extension Action.Kind {
    static let all = commands + departures + excesses + faults

    private static let commands = [
        Self("connect", 100) { client, _ in client.connect() },
        Self("name", 70) { client, dice in client.claim(using: &dice) },
        Self("bid", 430) { client, dice in client.bid(using: &dice) },
        Self("offer", 130) { client, dice in client.offer(using: &dice) },
        Self("say", 25) { client, dice in client.say(using: &dice) },
        Self("display", 10) { client, dice in client.display(using: &dice) },
        Self("react", 15) { client, dice in client.react(using: &dice) },
        Self("bid at the hammer", 90) { client, dice in
            client.snipe = (.random(in: -5_000_000...30_000_000, using: &dice), dice.next())
        },
        Self("question", 80) { client, dice in client.ask(dice.pick(Question.allCases)) },
        Self("resume", 60) { client, dice in client.resume(using: &dice) },
        Self("auctioneer's command", 10) { client, dice in
            let verb = dice.pick(AuctioneerCommand.Verb.allCases)
            client.rule(verb, isProven: !dice.chance(in: 8))
        },
        Self("resume or void", 10) { client, dice in
            client.rule(dice.chance(in: 2) ? .resume : .void, isProven: true)
        },
        Self("nonsense", 30) { client, dice in client.sendNonsense(using: &dice) },
        Self("format", 50) { client, dice in
            client.choose(dice.chance(in: 3) ? .text : .json)
        },
    ]

    /// What is done where there are rooms.
    static let ofRooms = [
        Self("open a room", 130) { client, dice in client.openRoom(using: &dice) },
        Self("join a room", 260) { client, dice in client.joinRoom(using: &dice) },
        Self("list rooms", 50) { client, _ in client.listRooms() },
        Self("auctioneer of a room", 60) { client, dice in client.ruleRoom(using: &dice) },
        Self("open and leave rooms", 60) { client, dice in
            client.openAndLeaveRooms(using: &dice)
        },
        Self("open in a full server", 40) { client, dice in
            client.openInFullServer(using: &dice)
        },
        Self("end a room", 60) { client, dice in client.endOpenedRoom(using: &dice) },
        Self("kick from a room", 30) { client, dice in client.kickFromRoom(using: &dice) },
        Self("sealed bid before a crash", 20) { client, dice in
            client.bidSealed(using: &dice)
            let crash = Crash(using: &dice)
            let world = client.world
            world.at(world.now + .random(in: 0...900_000_000, using: &dice)) { world.suffer(crash) }
        },
        Self("wander", 90) { client, dice in
            for _ in 0..<Int.random(in: 2...5, using: &dice) {
                client.joinRoom(using: &dice)
                if dice.chance(in: 2) { client.bid(using: &dice) }
                if dice.chance(in: 3) { client.ask(dice.pick(Question.allCases)) }
                if dice.chance(in: 8) { client.openRoom(using: &dice) }
            }
        },
    ]

    private static let departures = [
        Self("quit", 30) { client, dice in client.quit(using: &dice) },
        Self("half-close", 20) { client, _ in client.hangUp() },
        Self("reset", 30) { client, dice in client.reset(using: &dice) },
        Self("vanish", 20) { client, dice in client.vanish(using: &dice) },
        Self("stop reading", 50) { client, dice in
            client.stopReading(for: .random(in: 0...9_000_000_000, using: &dice))
        },
    ]

    /// What may reach a limit.
    private static let excesses = [
        Self("many questions", 15) { client, dice in
            for number in 0..<Int.random(in: 2...30, using: &dice) {
                client.ask(Question.allCases[number % Question.allCases.count])
            }
        },
        Self("slow line", 15) { client, dice in
            client.sendSlowly(over: .random(in: 0...40_000_000_000, using: &dice))
        },
        Self("bid and quit", 15) { client, dice in
            client.repeatedly(using: &dice) { client, dice in
                client.claimOwnName()
                client.bid(using: &dice)
                client.send("quit", .quit)
            }
        },
        Self("guess tokens", 15) { client, dice in
            client.repeatedly(using: &dice) { client, _ in
                for _ in 0..<3 { client.sendWrongToken() }
                client.send("quit", .quit)
            }
        },
        Self("claim without token", 15) { client, dice in
            client.repeatedly(using: &dice) { client, _ in
                client.sendName(client.name, token: nil)
                client.send("quit", .quit)
            }
        },
    ]

    private static let faults = [
        Self("standstill", 25) { client, dice in
            client.world.server?.standStill(for: .random(in: 0...9_000_000_000, using: &dice))
        },
        Self("standstill of a loop", 20) { client, dice in
            guard let loops = client.world.server?.simulated, !loops.isEmpty else { return }
            dice.pick(loops).standStill(for: .random(in: 0...2_500_000_000, using: &dice))
        },
        Self("slow disk", 25) { client, dice in
            let until = Duration.random(in: 0...12_000_000_000, using: &dice)
            client.world.slowness = (
                .random(in: 0...1_500_000_000, using: &dice), client.world.now + until
            )
        },
        Self("stall of the disk", 25) { client, dice in
            client.world.stall = .random(in: 0...15_000_000_000, using: &dice)
        },
        Self("clock set", 4) { client, dice in
            client.world.clockOffset += .random(
                in: -9_000_000_000_000...9_000_000_000_000, using: &dice)
        },
        Self("disk failure", 12) { client, dice in
            let (call, fault) = dice.pick(DiskFailure.all)
            client.world.disk.fail(call, number: 1, with: fault)
        },
        Self("socket failure", 12) { client, _ in client.world.failingSockets += 1 },
        Self("crash", 28) { client, dice in client.world.suffer(Crash(using: &dice)) },
        Self("shutdown", 7) { client, _ in client.world.server?.shutDown() },
    ]
}

private enum DiskFailure {
    static let all: [(MemoryDisk.Call, MemoryDisk.Fault)] = [
        (.write, .error(5)), (.write, .error(28)), (.write, .shortWrite), (.sync, .error(5)),
        (.create, .error(28)), (.rename, .error(5)), (.remove, .error(5)),
    ]
}

/// An end without a message.
struct Crash: Sendable {
    /// Whether the machine loses its power, and with it what was not synced.
    let losesPower: Bool
    /// In which call of the next write to the disk; nil for now.
    let duringCall: Int?
    /// In which call of the recovery after it the server crashes again.
    let againDuringCall: Int?
    let downtime: Duration
    private let seed: UInt64

    /// Draws one; with `inNextWrite` the power is lost before the next write is synced.
    init(using dice: inout SplitMix64, inNextWrite: Bool = false) {
        losesPower = inNextWrite || dice.chance(in: 2)
        let isInCall = inNextWrite || dice.chance(in: 2)
        duringCall = isInCall ? .random(in: 1...(inNextWrite ? 2 : 8), using: &dice) : nil
        againDuringCall = dice.chance(in: 5) ? .random(in: 1...9, using: &dice) : nil
        downtime = .random(in: 0...4_000_000_000, using: &dice)
        seed = dice.next()
    }

    /// How long it takes until a client learns of it.
    func delays() -> some Sequence<Duration> {
        let most: Int64 = losesPower ? 9_000_000_000 : 80_000_000
        return sequence(state: SplitMix64(seed: seed)) { .random(in: 0...most, using: &$0) }
    }

    /// What is left of a disk.
    func remains(of disk: MemoryDisk) -> MemoryDisk {
        guard losesPower else { return disk.afterKill }
        var dice = SplitMix64(seed: seed)
        let loss = dice.pick(MemoryDisk.Loss.allCases)
        return disk.powerCut(loss, using: &dice)
    }
}
