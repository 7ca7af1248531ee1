import Load
import Testing

@Suite("newestPrice")
struct NewestPriceTests {
    @Test(
        "the newest price that is whole is found",
        arguments: [
            ("PRICE 100 bench-1 00:03.2 1\n", 100),
            ("PRICE 100 a 00:03.2 1\nPRICE 205 a 00:03.3 2\n", 205),
            ("PRICE 100 a 00:03.2 1\nCOUNTDOWN 7\n\nPASSED 1 x\n", 100),
            ("PRICE 100 a 00:03.2 1\nPRICE 205 a 00:", 100),
            ("ICE 99 a 00:03.2 1\nLOT 2 PRICE 7\n", nil), ("PRICE 100 a", nil), ("", nil),
            ("PRICE x\n", 0), ("PRICE\n", nil), ("PRICE 99999999999999999999\n", 9_999_999_999_999),
        ] as [(String, Int64?)])
    func newest(text: String, price: Int64?) {
        #expect(newestPrice(in: Array(text.utf8).span) == price)
    }
}
