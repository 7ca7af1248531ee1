import Auction
import Testing

@Suite struct BidderTests {
    @Test(
        "a name is 1 to 24 ASCII letters, digits, underscores and hyphens",
        arguments: ["a", "Z9", "_", "-", "bob-the_2nd", "abcdefghijklmnopqrstuvwx", "12"])
    func accepted(name: String) throws {
        #expect(try #require(Bidder(name)).description == name)
    }

    @Test(
        "anything else is no name",
        arguments: [
            "", "abcdefghijklmnopqrstuvwxy", "a b", "é", "a.b", "a\u{0}", "bob!", "@", "[", "`",
            "{",
        ])
    func refused(name: String) {
        #expect(Bidder(name) == nil)
    }

    @Test("names that differ in case alone are the same name, printed as written")
    func caseFolding() throws {
        let quiet = try #require(Bidder("alice-the_great-zebra-9"))
        let loud = try #require(Bidder("ALICE-The_Great-ZEBRA-9"))
        #expect(quiet == loud)
        #expect(quiet.hashValue == loud.hashValue)
        #expect(loud.description == "ALICE-The_Great-ZEBRA-9")
    }

    @Test("only letters are folded")
    func onlyLettersFold() {
        #expect(Bidder("_") != Bidder("-"))
        #expect(Bidder("a") != Bidder("aa"))
        #expect(Bidder("0") != Bidder("P"))
    }
}

@Suite struct PriceTests {
    @Test(
        "a price is a whole number from 1 to 1,000,000,000,000",
        arguments: [
            (0, false), (-1, false), (1, true), (1_000_000_000_000, true),
            (1_000_000_000_001, false),
        ]
            as [(Int64, Bool)])
    func bounds(amount: Int64, isPrice: Bool) {
        #expect((Price(amount) != nil) == isPrice)
    }
}

@Suite struct DisplayNameTests {
    @Test(
        "a display name has letters of any script, digits and a few signs",
        arguments: [
            "Zoë", "zoe\u{308}", "O'Neill Jr.", "Алиса", "李明", "नेहा", "ليلى", "Agent 007", "a-b_c",
            "٣",
            String(repeating: "ё", count: 24),
        ])
    func valid(text: String) {
        #expect(DisplayName.isValid(text))
    }

    @Test(
        "a display name does not deceive those who read it",
        arguments: [
            "", " Zoë", "Zoë ", "Z  oë", "Zo\u{A0}e", "a\u{200B}b", "a\u{200D}b", "a\u{202E}b",
            "a\u{3164}", "\u{301}a", "...", "a\u{1B}b", "a\nb", "👏", "a<b", "a\"b",
            String(repeating: "a", count: 25),
            "a" + String(repeating: "\u{301}", count: 48),
        ])
    func invalid(text: String) {
        #expect(!DisplayName.isValid(text))
    }
}
