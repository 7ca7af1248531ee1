import Auction
import Testing
import Wire

@Suite struct ClassInstructionsTests {
    static func instructions(
        _ format: AuctionFormat, _ values: GameOptions.Values = .personal(50...150), size: Int = 3,
        _ change: (inout ClassPlan) -> Void = { _ in }
    ) -> ClassInstructions {
        var plan = ClassPlan()
        (plan.parts, plan.values) = ([.init(1, format)], values)
        change(&plan)
        return plan.instructions(for: plan.rounds[0], groupSize: size)
    }

    /// The profit in the example of each format, by the rules of the textbooks.
    static let profits: [(format: AuctionFormat, example: String, profit: Int)] = [
        (.english, "The others stop at 60, and you win with a bid of 80.", 100 - 80),
        (.dutch, "You take the lot when the price is 80.", 100 - 80),
        (.sealed, "You bid 80, and the highest bid of the others is 60.", 100 - 80),
        (.vickrey, "You bid 80, and the highest bid of the others is 60.", 100 - 60),
        (.allpay, "You bid 60, and the highest bid of the others is 80.", 0 - 60),
    ]

    @Test("one of three answers is right: the value less the payment", arguments: profits)
    func question(format: AuctionFormat, example: String, profit: Int) {
        let known = [
            (GameOptions.Values.personal(0...9), "Your value is 100."),
            (
                .common(0...9, noise: 2),
                "Your estimate is 110, and the true value turns out to be 100."
            ),
        ]
        for (values, sentence) in known {
            let told = Self.instructions(format, values)
            #expect(told.question == "\(sentence) \(example) How much do you earn?")
            #expect(Set(told.answers).count == 3)
            #expect(told.answers[told.right] == "\(profit)")
        }
    }

    @Test("every format and both kinds of values are explained in three to six sentences")
    func sentences() {
        for format in AuctionFormat.allCases {
            for values in [GameOptions.Values.personal(50...150), .common(50...150, noise: 20)] {
                let told = Self.instructions(format, values) { $0.lot.reserve = price(60) }
                #expect((3...6).contains(told.sentences.count))
                #expect(told.sentences.allSatisfy { $0.hasSuffix(".") && $0.count < 200 })
                #expect(told.sentences.contains { $0.contains("from 50 to 150") })
                #expect(told.sentences.contains { $0.contains("30 seconds") })
                #expect(told.sentences.last?.contains("lowest price") == true)
            }
        }
    }

    @Test("a student reads who bids, the values, the end, the price and the profit")
    func text() {
        #expect(
            Self.instructions(.vickrey).sentences == [
                "You and 2 others bid for one lot.",
                "It has its own value for each of you: any whole number from 50 to 150 is equally "
                    + "likely, and only you see yours.",
                "Bid in secret within 30 seconds, until then you can change your bid; at the end the "
                    + "highest bid wins, and of equal bids the first.",
                "The winner pays the second-highest bid, not their own; the others pay nothing.",
                "If you win, you earn your value less what you pay, which can be a loss; if not, you "
                    + "earn nothing.",
            ])
        let common = Self.instructions(.dutch, .common(50...150, noise: 20), size: 2) {
            $0.lot.seconds = 1
        }
        #expect(
            common.sentences == [
                "You and 1 other bid for one lot, which has the same value for all of you: any whole "
                    + "number from 50 to 150 is equally likely.",
                "Nobody knows this value: you see an estimate, which is at most 20 too low or too "
                    + "high, and the others see other estimates.",
                "The price falls from 170 in 1 second, and the first to take it wins at once; if "
                    + "nobody does, nobody wins.",
                "The winner pays the price at that moment; the others pay nothing.",
                "If you win, you earn its true value less what you pay, which can be a loss; if not, "
                    + "you earn nothing.",
            ])
        #expect(
            Self.instructions(.allpay).sentences.suffix(2) == [
                "Everybody pays what they bid, also those who do not win.",
                "If you win, you earn your value less your bid, which can be a loss; if not, you lose "
                    + "your bid.",
            ])
    }

    @Test("each format has a title of its own")
    func titles() {
        #expect(Set(AuctionFormat.allCases.map { Self.instructions($0).title }).count == 5)
    }
}
