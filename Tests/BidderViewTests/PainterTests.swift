import AuctionRules
import BidderView
import Drawing
import TestSupport
import Testing
import Wire

@Suite struct PainterTests {
    private static let sizes = [
        (80, 24), (80, 25), (81, 24), (40, 12), (39, 11), (10, 3), (72, 18), (132, 43), (200, 60),
    ].map { Size(columns: $0.0, rows: $0.1) }

    /// The model of each scene, played once for all tests.
    private static let models = Scene.all.map { $0.play(sizes[0]).view.model }

    @Test("a frame depends on the model and the size alone", arguments: 0..<3)
    func isPure(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var used = Painter()
        let stage = Stage.opened(Size(columns: 80, rows: 24))
        for _ in 0..<40 {
            stage.happen(with: &random)
            let size =
                Int.random(in: 0..<3, using: &random) > 0
                ? Self.sizes[0] : Self.sizes.randomElement(using: &random) ?? Self.sizes[0]
            var fresh = Painter()
            let expected = fresh.frame(of: stage.view.model, size: size)
            #expect(used.frame(of: stage.view.model, size: size) == expected)
        }
    }

    @Test(
        "in ASCII mode every state is drawn in ASCII",
        arguments: zip(Scene.all, models))
    func isASCII(scene: Scene, model: Model) {
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)] {
            var painter = Painter(isASCII: true)
            let frame = painter.frame(of: model, size: size)
            #expect(frame.lines.joined().utf8.allSatisfy { $0 < 0x80 })
            var blocks = Painter()
            #expect(frame.cursor == blocks.frame(of: model, size: size).cursor)
        }
    }

    @Test("random models are drawn as by a new painter", arguments: 0..<2)
    func isPureInAnyOrder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var used = Painter()
        for _ in 0..<60 {
            guard let model = Self.models.randomElement(using: &random),
                let size = Self.sizes.randomElement(using: &random)
            else { continue }
            var fresh = Painter()
            let expected = fresh.frame(of: model, size: size)
            #expect(used.frame(of: model, size: size) == expected)
        }
    }
}

extension Stage {
    /// Something that may happen in a sale, by chance.
    fileprivate func happen(with random: inout SplitMix64) {
        let names = ["alice", "bob", "carol", "dora"]
        let name = names.randomElement(using: &random) ?? "bob"
        pass(.milliseconds(Int.random(in: 0...4_000, using: &random)))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9:
            let amount = (bids.last?.price.amount ?? 100) + .random(in: 1...40, using: &random)
            bid(amount, by: name, at: now - openedAt)
        case 9..<12: tell(.joined(bidder(name)))
        case 12: tell(.left(bidder(name)))
        case 13: tell(.going(.once))
        case 14:
            bids = []
            openedAt = now
            tell(.lot(Lot(number: 2, title: "Vase"), start: price(5), elapsed: .zero))
        case 15:
            type("laps")
            press(.enter)
        case 16: type("?")
        case 17:
            lose()
            pass(.seconds(1))
            snapshot = [
                .lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: now - openedAt)
            ]
            connect(step: 10)
        default: pass(.seconds(20))
        }
    }
}
