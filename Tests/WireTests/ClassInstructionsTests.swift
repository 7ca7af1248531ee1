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
            (GameOptions.Values.personal(50...150), "Your value is 100."),
            (
                .common(50...150, noise: 20),
                "Your estimate is 110, and the true value turns out to be 100."
            ),
        ]
        for (values, sentence) in known {
            // The price of a Dutch lot falls by 1 then.
            let told = Self.instructions(format, values) { $0.lot.seconds = 300 }
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
                "You and usually 2 others bid for one lot (the item for sale); when the round begins, you "
                    + "see how many you are.",
                "The lot has its own value for each of you: any whole number from 50 to 150 is equally "
                    + "likely, and only you see yours.",
                "Bid in secret within 30 seconds, until then you can change your bid; at the end the "
                    + "highest bid wins, and of equal bids the first.",
                "The winner pays the second-highest bid, not their own, or 1 if nobody else bids; the "
                    + "others pay nothing.",
                "If you win, you earn your value less what you pay, which can be a loss; if not, you "
                    + "earn nothing.",
            ])
        let common = Self.instructions(.dutch, .common(50...150, noise: 20), size: 2) {
            $0.lot.seconds = 1
        }
        #expect(
            common.sentences == [
                "You and usually 1 other bid for one lot (the item for sale); when the round begins, you "
                    + "see how many you are.",
                "The lot has the same value for all of you, any whole number from 50 to 150. Nobody "
                    + "knows it: you see an estimate, at most 20 too low or too high, and the others "
                    + "see other estimates.",
                "The price falls from 170 to 1 in 1 second, and the first to take it wins at once; if "
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

    @Test("the start, the step and the reserve are told where they change what one can bid")
    func limits() {
        func sentences(_ format: AuctionFormat) -> ArraySlice<String> {
            Self.instructions(format) {
                ($0.lot.start, $0.lot.step) = (price(60), price(5))
            }.sentences[2...3]
        }
        #expect(
            Self.instructions(.english).sentences[2]
                == "Everybody sees each bid, which is above the one before and starts a countdown of "
                + "30 seconds again; at 0 the last bidder wins. If nobody bids within 30 seconds, "
                + "nobody wins.")
        #expect(
            sentences(.english).first?.hasPrefix(
                "Everybody sees each bid, which is at least 5 above the one before (the first: at "
                    + "least 60) and starts ") == true)
        #expect(sentences(.sealed).first?.hasPrefix("Bid at least 60 in secret within ") == true)
        #expect(sentences(.vickrey).last?.contains(", or 60 if nobody else bids;") == true)
        let reserved = Self.instructions(.vickrey) { $0.lot.reserve = price(70) }
        #expect(reserved.sentences[3].contains(", or the lowest price if nobody else bids;"))
        let falling = Self.instructions(.dutch) { $0.lot.reserve = price(70) }
        #expect(falling.sentences[2].hasPrefix("The price falls from 150 in 30 seconds, and "))
    }

    /// Ranges, the noise of estimates and the start, and the value and the two bids of the question.
    static let examples:
        [(range: ClosedRange<Int64>, noise: Int64?, start: Int64, numbers: [Int64])] =
            [
                (0...3, nil, 1, [3, 2, 1]), (0...2, nil, 1, [2, 2, 1]), (1...1, nil, 1, [1, 2, 1]),
                (0...9, nil, 1, [9, 7, 5]), (0...100, nil, 1, [50, 40, 30]),
                (200...300, nil, 1, [250, 200, 150]), (50...150, nil, 120, [140, 136, 132]),
                (50...150, nil, 149, [150, 150, 149]), (0...3, 1, 1, [4, 3, 2, 1]),
                (0...3, 0, 1, [3, 3, 2, 1]), (50...150, 5, 1, [105, 100, 80, 60]),
            ]

    @Test("the numbers of the question are possible in the class", arguments: examples)
    func numbers(
        range: ClosedRange<Int64>, noise: Int64?, start: Int64, numbers: [Int64]
    ) {
        for format in [AuctionFormat.sealed, .vickrey, .english, .dutch, .allpay] {
            let values =
                noise.map { GameOptions.Values.common(range, noise: $0) } ?? .personal(range)
            let told = Self.instructions(format, values) {
                $0.lot.start = format == .dutch ? nil : price(start)
            }
            #expect(Set(told.answers).count == 3, "\(format) \(range)")
            let found = told.question.split { !$0.isNumber }.compactMap { Int64($0) }
            guard format == .sealed || format == .vickrey else { continue }
            #expect(found == numbers)
            let payment = numbers[numbers.count - (format == .sealed ? 2 : 1)]
            #expect(told.answers[told.right] == "\(numbers[noise == nil ? 0 : 1] - payment)")
        }
    }

    @Test("a falling price is one that is asked, also where it falls by much")
    func asked() {
        let told = Self.instructions(.dutch) { $0.lot.step = price(40) }
        #expect(
            told.question
                == "Your value is 100. You take the lot when the price is 110. How much do you earn?"
        )
    }

    @Test("each format has a title of its own")
    func titles() {
        #expect(Set(AuctionFormat.allCases.map { Self.instructions($0).title }).count == 5)
    }
}
