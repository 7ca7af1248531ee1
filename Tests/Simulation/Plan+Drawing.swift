import AuctionRules
import Lobby
import Sale
import TestSupport
import Wire

extension Plan {
    /// Draws the plan of a seed.
    package init(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let terms = Terms(using: &dice)
        var actions: [Action] = []
        var now = Duration.zero
        for _ in 0..<Int.random(in: 20...90, using: &dice) {
            now += .gap(countdown: terms.rules.countdown, using: &dice)
            actions.append(Action(at: now, deed: Deed(terms, at: now, using: &dice)))
        }
        self.init(seed: seed, terms: terms, actions: actions)
        drawLimits()
        drawLoops()
    }
}

extension Terms {
    fileprivate init(using dice: inout SplitMix64) {
        let start = Price(.random(in: 1...50, using: &dice)) ?? .lowest
        let step = Price(.random(in: 1...9, using: &dice)) ?? .lowest
        rules = Rules(
            seconds: [1, 2, 3, 5, 7].randomElement(using: &dice) ?? 7, start: start, step: step,
            allowsSelfRaise: dice.chance(in: 4),
            longest: start.amount % 3 == 0 ? .seconds(4) : nil,
            mostRaise: start.amount % 5 == 0 ? Price(1000) : nil)
        let titles = (1...6).map { "Clock \($0)" }
        catalogue = Catalogue(
            titles: dice.chance(in: 3) ? titles : [],
            pause: .milliseconds(Int.random(in: 0...3000, using: &dice)))
        segmentBytes = [400, 1500, 6000, 64 << 10].randomElement(using: &dice) ?? 400
        ringLines = [3, 9, 40].randomElement(using: &dice) ?? 9
        visitors = .random(in: 2...7, using: &dice)
    }
}

extension Deed {
    fileprivate init(_ terms: Terms, at now: Duration, using dice: inout SplitMix64) {
        if dice.chance(in: 9) {
            self = .mishap(Mishap(at: now, using: &dice))
        } else {
            self = .visitor(.random(in: 0..<terms.visitors, using: &dice), Move(using: &dice))
        }
    }
}

extension Move {
    fileprivate init(using dice: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<10: self = .watch
        case 10..<17: self = .name(Proof.allCases.randomElement(using: &dice) ?? .own)
        case 17..<60: self = .bid(Offer(using: &dice))
        case 60..<69:
            self = .snipe(
                Offer(using: &dice), early: .random(in: -5_000_000...30_000_000, using: &dice))
        case 69..<77: self = .ask(Question.allCases.randomElement(using: &dice) ?? .ping)
        case 77:
            self = .rule(
                AuctioneerCommand.Verb.allCases.randomElement(using: &dice) ?? .pause,
                isProven: !dice.chance(in: 8))
        case 78: self = .rule(dice.chance(in: 2) ? .resume : .void, isProven: true)
        case 79..<80: self = .mumble(Nonsense.allCases.randomElement(using: &dice) ?? .empty)
        case 80..<85: self = .useJSON(!dice.chance(in: 3))
        case 85..<88: self = .quit
        case 88..<90: self = .hangUp
        case 90..<93: self = .reset
        case 93..<95: self = .vanish
        default: self = .stopReading(.random(in: 0...9_000_000_000, using: &dice))
        }
    }
}

extension Offer {
    fileprivate init(using dice: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<45: self = .least
        case 45..<65: self = .more(.random(in: 1...40, using: &dice))
        case 65..<78: self = .equal
        case 78..<84: self = .low
        case 84: self = .highest
        default: self = .again
        }
    }
}

extension Mishap {
    fileprivate init(at now: Duration, using dice: inout SplitMix64) {
        switch Int.random(in: 0..<100, using: &dice) {
        case 0..<25: self = .standstill(.random(in: 0...9_000_000_000, using: &dice))
        case 25..<50:
            self = .slowDisk(
                each: .random(in: 0...1_500_000_000, using: &dice),
                until: now + .random(in: 0...12_000_000_000, using: &dice))
        case 50..<53:
            self = .clockSet(
                by: .random(in: -9_000_000_000_000...9_000_000_000_000, using: &dice))
        case 53..<65:
            self = .diskFailure(DiskFault.allCases.randomElement(using: &dice) ?? .syncError)
        case 65..<93: self = .crash(Crash(using: &dice))
        default: self = .shutDown
        }
    }
}

extension Crash {
    fileprivate init(using dice: inout SplitMix64) {
        losesPower = dice.chance(in: 2)
        duringCall = dice.chance(in: 2) ? .random(in: 1...8, using: &dice) : nil
        againDuringCall = dice.chance(in: 5) ? .random(in: 1...9, using: &dice) : nil
        downtime = .random(in: 0...4_000_000_000, using: &dice)
        seed = dice.next()
    }
}

extension Duration {
    /// Draws so many nanoseconds.
    static func random(in nanoseconds: ClosedRange<Int64>, using dice: inout SplitMix64) -> Duration
    {
        .nanoseconds(Int64.random(in: nanoseconds, using: &dice))
    }

    /// Draws the time to the next action: at once, soon, or about when the hammer falls.
    fileprivate static func gap(countdown: Duration, using dice: inout SplitMix64) -> Duration {
        switch Int.random(in: 0..<10, using: &dice) {
        case 0..<4: .random(in: 0...3_000_000, using: &dice)
        case 4..<8: .random(in: 0...700_000_000, using: &dice)
        default: countdown * Int.random(in: 20...150, using: &dice) / 100
        }
    }
}

extension SplitMix64 {
    /// Whether one of so many cases came up.
    mutating func chance(in cases: Int) -> Bool {
        Int.random(in: 0..<cases, using: &self) == 0
    }
}
