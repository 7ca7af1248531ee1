import TestSupport

/// How a visitor's bytes travel.
struct Nature {
    var usesCRLF = false
    var usesTags = false
    var usesCapitals = false
    /// The longest piece that arrives at once, and the usual delay of one.
    var piece = Int.max
    var delay = Duration.zero
    /// How much may be on its way to a visitor who does not read.
    var window = 1 << 20

    static let calm = Nature()

    init() {}

    init(using dice: inout SplitMix64) {
        (usesCRLF, usesTags) = (dice.chance(in: 3), dice.chance(in: 2))
        usesCapitals = dice.chance(in: 4)
        piece = [1, 7, 40, 1500].randomElement(using: &dice) ?? 40
        delay = .random(in: 20_000...40_000_000, using: &dice)
        window = [64, 300, 4096].randomElement(using: &dice) ?? 300
    }
}

/// One direction of a connection: bytes in order, split anywhere, each piece with its own delay.
final class Pipe {
    private let world: World
    private let nature: Nature
    private let deliver: ([UInt8]) -> Void
    private var dice: SplitMix64
    private var lastArrival = Duration.zero
    /// How many bytes are on their way.
    private(set) var inFlight = 0
    private var isCut = false

    init(
        _ world: World, _ nature: Nature, seed: UInt64, deliver: @escaping ([UInt8]) -> Void
    ) {
        (self.world, self.nature, self.deliver) = (world, nature, deliver)
        dice = SplitMix64(seed: seed)
    }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let most = min(rest.count, nature.piece)
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

    /// Does something at the other end when all that was sent has arrived.
    func end(_ action: @escaping () -> Void) {
        arrive(action)
    }

    /// Loses what is on its way, and all that follows.
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

    /// Once in a while a piece is lost on the way, and sent again.
    private func delay() -> Duration {
        guard nature.delay > .zero else { return .zero }
        let usual = Duration.random(in: 0...nature.delay.nanoseconds, using: &dice)
        return dice.chance(in: 40) ? usual + .milliseconds(200) * Int(dice.next() % 8) : usual
    }
}

extension Duration {
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
