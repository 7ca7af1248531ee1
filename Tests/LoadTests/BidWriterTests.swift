import Load
import Testing

@Suite("BidWriter")
struct BidWriterTests {
    @Test("bids rise by one, across every number of digits")
    func rising() {
        var writer = BidWriter()
        var bytes: [UInt8] = []
        writer.append(1200, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == (1...1200).map { "bid \($0)\n" }.joined())
        #expect(writer.amount == 1201)
    }

    @Test(
        "the next bid is higher than the price, and never lower than it would have been",
        arguments: [(98, "bid 99\nbid 100\n"), (5, "bid 6\nbid 7\n"), (1, "bid 5\nbid 6\n")])
    func outbidding(price: Int64, lines: String) {
        var writer = BidWriter()
        var bytes: [UInt8] = []
        writer.append(4, to: &bytes)
        bytes = []
        writer.outbid(price)
        writer.append(2, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == lines)
    }
}
