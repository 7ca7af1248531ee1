import Auction
import Basics
import TestSupport
import Testing
import Wire

/// Texts that others read, on their way in and out of lines.
@Suite struct SafeLinesTests {
    private static let hostile = "a\u{1B}]0;x\u{7}\u{202E}b\u{9B}1m\r\u{FEFF}"

    private static func sale(of title: String) throws -> SoldLot {
        SoldLot(
            number: 1, title: title, bidder: try #require(Bidder("bob")),
            price: try #require(Price(5)), elapsed: .zero)
    }

    private static func messages(titled title: String) throws -> [ServerMessage] {
        [
            .event(.lotOpened(Lot(number: 1, title: title))),
            .event(.lotSold(try sale(of: title))),
            .event(.lotPassed(Lot(number: 1, title: title), reason: title, elapsed: nil)),
            .event(.bidderKicked(try #require(Bidder("bob")), reason: title)),
            .result(Lot(number: 1, title: title), winner: nil, price: nil, elapsed: .zero),
            .room(RoomRow(name: .main, people: 1, lot: 1, format: .english, title: title)),
        ]
    }

    private static func json(_ message: ServerMessage) -> String {
        var bytes: [UInt8] = []
        message.appendJSON(to: &bytes, seq: 1, millisecondsSince1970: 0)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    @Test("control characters of a title in a forged journal are escaped")
    func hostile() throws {
        for message in try Self.messages(titled: Self.hostile) {
            #expect(message.text.isPrintable)
            #expect(Self.json(message).isPrintable)
        }
        let lot = try Self.messages(titled: "a\u{1B}[2J\u{202E}")[0]
        #expect(lot.text == #"LOT 1 a\u{1B}[2J\u{202E}"#)
        #expect(Self.json(lot).contains(#""content":"a\u001b[2J\u202e""#))
    }

    @Test("JSON keeps what it escapes")
    func keeps() throws {
        let lot = try Self.messages(titled: Self.hostile + #" "\ "# + "\u{E0041}")[0]
        let heard = try #require(ServerMessage(json: Self.json(lot)))
        #expect(heard == lot)
    }

    @Test("no title makes a line that is more than one", arguments: 0..<200 as Range<UInt64>)
    func anyTitle(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var title = String.UnicodeScalarView()
        for _ in 0..<24 {
            let bound: UInt32 = [0x100, 0x2100, 0x11_0000].randomElement(using: &generator) ?? 1
            let value = UInt32.random(in: 0..<bound, using: &generator)
            if let scalar = Unicode.Scalar(value) { title.append(scalar) }
        }
        for message in try Self.messages(titled: String(title)) {
            #expect(message.text.isPrintable && Self.json(message).isPrintable)
        }
    }

    @Test(
        "a title that begins with a mark is read as it was written",
        arguments: ["\u{301}x", "\u{200D}x", "\u{FE0F}x", " x", "  \u{301}"])
    func marks(title: String) throws {
        let lot = ServerMessage.event(.lotOpened(Lot(number: 1, title: title)))
        #expect(ServerMessage(text: lot.text) == lot)
        let line = Array("WINNER bob 5 00:00.0 \(title)".utf8)
        let sale = try Self.sale(of: title)
        let unnumbered = SoldLot(
            number: nil, title: title, bidder: sale.bidder, price: sale.price, elapsed: .zero)
        #expect(Record(line: line.span, elapsedMilliseconds: nil) == .event(.lotSold(unnumbered)))
    }
}
