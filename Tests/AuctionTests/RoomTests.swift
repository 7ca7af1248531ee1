import Auction
import Testing

@Suite struct RoomNameTests {
    @Test(
        "a name has 1 to 24 small letters, digits and -, and begins with no -",
        arguments: ["a", "7", "main", "blue-room", "0-", "a--b", String(repeating: "z", count: 24)])
    func allowed(name: String) {
        #expect(RoomName(name)?.description == name)
        #expect(RoomName(Array(name.utf8).span)?.description == name)
    }

    @Test(
        "what could steer a terminal, a path or a page is no name",
        arguments: [
            "", "-", "-a", "Blue", "a_b", "a b", "a.b", "..", "a/b", "a\\b", "%2e", "a&b", "<a>",
            "a'", "a\"", "é", "ａ", "a\u{301}", "a\u{0}", "a\n", "\u{1B}[2J", "\u{202E}a", "a=b",
            String(repeating: "z", count: 25), String(repeating: "z", count: 5000),
        ])
    func refused(name: String) {
        #expect(RoomName(name) == nil)
        #expect(RoomName(Array(name.utf8).span) == nil)
    }

    @Test("no byte but those of small letters, digits and - is in a name", arguments: 0...255)
    func bytes(byte: Int) {
        let byte = UInt8(byte)
        let isAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains(byte)
        #expect((RoomName([0x61, byte].span) != nil) == isAllowed)
        #expect((RoomName([byte].span) != nil) == (isAllowed && byte != UInt8(ascii: "-")))
    }

    @Test("names are ordered and distinguished like their texts")
    func order() throws {
        let texts = [
            "0", "0-", "00", "a", "a-b", "a0", "aa", "abcdefgh", "abcdefgh-", "abcdefghi",
            "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopqrstuvwx", "b",
        ]
        let names = try texts.map { try #require(RoomName($0)) }
        #expect(names == names.sorted())
        #expect(Set(names).count == names.count)
        for (name, text) in zip(names.shuffled().sorted(), texts) {
            #expect(name.description == text)
        }
    }

    @Test("a name is stored inline")
    func size() {
        #expect(MemoryLayout<RoomName>.size == 24)
    }
}

@Suite struct RoomOptionsTests {
    private static let base = Rules(
        seconds: 30, start: price(100), step: price(10), allowsSelfRaise: true,
        longest: .seconds(60), mostRaise: price(50), format: .vickrey, reserve: price(200),
        buy: price(500))

    @Test("a room has the times and steps of main, and nothing else of it")
    func inherited() throws {
        let rules = try RoomOptions().rules(Self.base)
        #expect(
            rules
                == Rules(
                    seconds: 30, start: price(100), step: price(10), allowsSelfRaise: true,
                    mostRaise: price(50)))
    }

    @Test("a room has the rules that were chosen for it")
    func chosen() throws {
        var options = RoomOptions()
        options.lot.format = .dutch
        options.lot.seconds = 20
        options.lot.start = price(900)
        options.lot.step = price(60)
        options.lot.reserve = price(80)
        let rules = try options.rules(Self.base)
        #expect(
            rules
                == Rules(
                    seconds: 20, start: price(900), step: price(60), allowsSelfRaise: true,
                    mostRaise: price(60), format: .dutch, reserve: price(80)))
    }

    @Test("options that do not go together with the rules of main have a problem")
    func contradictory() {
        var options = RoomOptions()
        options.lot.buy = price(100)
        #expect(throws: OptionProblem.self) { try options.rules(Self.base) }
        options.lot.start = .lowest
        #expect(throws: Never.self) { try options.rules(Self.base) }
    }

    @Test("resolved options mean the same beside any other rules of main")
    func resolved() throws {
        var options = RoomOptions()
        options.lots = 5
        options.lot.buy = price(300)
        #expect(!options.isResolved)
        let resolved = options.resolved(with: Self.base, pause: .seconds(5))
        #expect(resolved.isResolved)
        #expect(resolved.lot.format == .english)
        #expect(resolved.lots == 5)
        #expect(resolved.pause == .seconds(5))
        let other = Rules(seconds: 7, allowsSelfRaise: true, mostRaise: price(50), format: .dutch)
        #expect(try resolved.rules(other) == options.rules(Self.base))
        #expect(resolved.resolved(with: other, pause: .zero) == resolved)
    }

    @Test("a room without a number of lots has lots without end")
    func endless() {
        var options = RoomOptions()
        options.pause = .seconds(1)
        #expect(options.catalogue == Catalogue(pause: .seconds(1)))
        #expect(options.catalogue.plan(4000)?.title == "lot-4000")
    }

    @Test("a room with a number of lots has that many, and then those that were added")
    func limited() {
        var options = RoomOptions()
        options.lots = 2
        var catalogue = options.catalogue
        #expect(titles(catalogue, from: 1) == ["lot-1", "lot-2"])
        catalogue.append(LotPlan(title: "Vase"), after: 1)
        catalogue.append(LotPlan(title: "Clock"), after: 1)
        #expect(titles(catalogue, from: 2) == ["lot-2", "Vase", "Clock"])
    }

    @Test("a recovered room continues with the lots that are left", arguments: 0...5)
    func following(ended: Int) {
        var options = RoomOptions()
        options.lots = 3
        let all = ["lot-1", "lot-2", "lot-3", "Vase", "lot-2"]
        let added = [LotPlan(title: "Vase"), LotPlan(title: "lot-2")]
        let lots = all.prefix(ended).enumerated().map { Lot(number: $0 + 1, title: $1) }
        let catalogue = options.catalogue.following(lots, added: added)
        #expect(titles(catalogue, from: ended + 1) == Array(all.dropFirst(ended)))
        #expect(!catalogue.isEndless)
    }

    private func titles(_ catalogue: Catalogue, from first: Int) -> [String] {
        var titles: [String] = []
        while let plan = catalogue.plan(first + titles.count) { titles.append(plan.title) }
        return titles
    }
}

private func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("a test's price is in bounds") }
    return price
}
