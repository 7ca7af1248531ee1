import TestSupport

/// How a client writes, and how its bytes travel.
struct Link {
    static let calm = Link()

    var usesCRLF = false
    var usesTags = false
    var usesCapitals = false
    /// The longest piece that arrives at once, and the usual delay of one.
    private(set) var piece = Int.max
    private(set) var delay = Duration.zero
    /// How much may be under way to a client that does not read.
    private(set) var window = 1 << 20

    private init() {}

    init(using dice: inout SplitMix64) {
        (usesCRLF, usesTags) = (dice.chance(in: 3), dice.chance(in: 2))
        usesCapitals = dice.chance(in: 4)
        piece = dice.pick([1, 7, 40, 1500])
        delay = .random(in: 20_000...40_000_000, using: &dice)
        window = dice.pick([64, 300, 4096])
    }
}

/// One direction of a connection: bytes in order, split anywhere, each piece with its own delay.
final class Pipe {
    private let world: World
    private let drawn: Link
    private let deliver: ([UInt8]) -> Void
    private var dice: SplitMix64
    private var lastArrival = Duration.zero
    /// The number of bytes under way.
    private(set) var inFlight = 0
    private var isCut = false

    init(_ world: World, _ link: Link, seed: UInt64, deliver: @escaping ([UInt8]) -> Void) {
        (self.world, drawn, self.deliver) = (world, link, deliver)
        dice = SplitMix64(seed: seed)
    }

    private var link: Link { world.isQuiet ? .calm : drawn }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let most = min(rest.count, link.piece)
            let piece = Array(
                rest.prefix(.random(in: min(most, 1 + most / 2)...most, using: &dice)))
            rest = rest.dropFirst(piece.count)
            inFlight += piece.count
            arrive { [self] in
                inFlight -= piece.count
                deliver(piece)
            }
        }
    }

    /// Calls `action` when everything sent so far has arrived.
    func end(_ action: @escaping () -> Void) {
        arrive(action)
    }

    /// Loses what is under way, and everything that follows.
    func cut() {
        isCut = true
    }

    private func arrive(_ action: @escaping () -> Void) {
        lastArrival = max(lastArrival, world.now + delay())
        world.at(lastArrival) { [self] in
            world.noteEvent()
            if !isCut { action() }
        }
    }

    /// Once in a while a piece is lost, and sent again.
    private func delay() -> Duration {
        guard link.delay > .zero else { return .zero }
        let usual = Duration.random(in: 0...link.delay.nanoseconds, using: &dice)
        return dice.chance(in: 40) ? usual + .milliseconds(200) * Int(dice.next() % 8) : usual
    }
}

/// The bytes of a connection that the house was not given, by when they arrived.
package struct UnhandledBytes {
    private var pieces: [(arrived: Duration, count: Int)] = []

    package init() {}

    package mutating func add(_ count: Int, at now: Duration) {
        if count > 0 { pieces.append((now, count)) }
    }

    /// Removes the oldest `count` bytes, which the house was given.
    package mutating func remove(_ count: Int) {
        var left = count
        while left > 0, let first = pieces.first {
            let taken = min(left, first.count)
            left -= taken
            pieces[0].count -= taken
            if pieces[0].count == 0 { pieces.removeFirst() }
        }
    }

    /// Whether some arrived from `start` on, and before `end`.
    package func contains(from start: Duration, before end: Duration) -> Bool {
        pieces.contains { $0.arrived >= start && $0.arrived < end }
    }
}
