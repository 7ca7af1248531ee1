import TestSupport
import Testing
import Web

/// Frames that break a rule, and the end of a connection.
@Suite struct WebSocketFaultsTests {
    private static func unmasked(_ frame: ClientFrame) -> ClientFrame {
        var frame = frame
        frame.mask = nil
        return frame
    }

    private static func frame(
        _ first: UInt8, _ count: Int, as form: ClientFrame.LengthForm
    ) -> ClientFrame {
        var frame = ClientFrame(first, [UInt8](repeating: 0x78, count: count))
        frame.lengthForm = form
        return frame
    }

    private static func claiming(_ length: UInt64) -> ClientFrame {
        var frame = ClientFrame(0x81)
        frame.lengthForm = .sixtyFourBits
        frame.claimedLength = length
        return frame
    }

    private static let start = ClientFrame(0x01, [0x61])
    private static let full = ClientFrame(0x01, [UInt8](repeating: 0x78, count: 65536))

    private static let faults: [(frames: [ClientFrame], code: UInt16)] = [
        // The mask, the reserved bits and the opcodes.
        ([unmasked(ClientFrame(text: "a"))], 1002),
        ([unmasked(ClientFrame(0x89))], 1002),
        ([ClientFrame(0xC1, [0x61])], 1002),
        ([ClientFrame(0xA1, [0x61])], 1002),
        ([ClientFrame(0x91, [0x61])], 1002),
        ([ClientFrame(0x83)], 1002), ([ClientFrame(0x84)], 1002), ([ClientFrame(0x85)], 1002),
        ([ClientFrame(0x86)], 1002), ([ClientFrame(0x87)], 1002), ([ClientFrame(0x8B)], 1002),
        ([ClientFrame(0x8C)], 1002), ([ClientFrame(0x8D)], 1002), ([ClientFrame(0x8E)], 1002),
        ([ClientFrame(0x8F)], 1002),
        // Control frames.
        ([frame(0x89, 126, as: .shortest)], 1002),
        ([frame(0x88, 126, as: .shortest)], 1002),
        ([frame(0x8A, 70_000, as: .shortest)], 1002),
        ([frame(0x89, 5, as: .sixteenBits)], 1002),
        ([ClientFrame(0x09)], 1002), ([ClientFrame(0x08)], 1002), ([ClientFrame(0x0A)], 1002),
        // Fragments.
        ([ClientFrame(0x80, [0x61])], 1002),
        ([ClientFrame(0x00, [0x61])], 1002),
        ([start, ClientFrame(text: "a")], 1002),
        ([start, ClientFrame(0x82, [0x61])], 1002),
        ([start, ClientFrame(0x89), ClientFrame(text: "a")], 1002),
        // Lengths.
        ([frame(0x81, 125, as: .sixteenBits)], 1002),
        ([frame(0x81, 0, as: .sixteenBits)], 1002),
        ([frame(0x81, 125, as: .sixtyFourBits)], 1002),
        ([frame(0x81, 65535, as: .sixtyFourBits)], 1002),
        ([claiming(1 << 63)], 1002),
        ([claiming(.max)], 1002),
        ([claiming(.max >> 1)], 1009),
        ([claiming(65537)], 1009),
        ([claiming(1 << 32)], 1009),
        ([claiming(1 << 32 | 1)], 1009),
        ([claiming(1 << 56)], 1009),
        // Binary messages.
        ([ClientFrame(0x82, [0x61])], 1003),
        ([ClientFrame(0x02, [0x61])], 1003),
        // Text that is not UTF-8: out of range, surrogates, too long forms, cut.
        ([ClientFrame(0x81, [0xFF])], 1007),
        ([ClientFrame(0x81, [0x80])], 1007),
        ([ClientFrame(0x81, [0xC0, 0x80])], 1007),
        ([ClientFrame(0x81, [0xC1, 0xBF])], 1007),
        ([ClientFrame(0x81, [0xE0, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xED, 0xA0, 0x80])], 1007),
        ([ClientFrame(0x81, [0xF0, 0x8F, 0xBF, 0xBF])], 1007),
        ([ClientFrame(0x81, [0xF4, 0x90, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xF5, 0x80, 0x80, 0x80])], 1007),
        ([ClientFrame(0x81, [0xC3])], 1007),
        ([ClientFrame(0x81, [0xF0, 0x9F, 0x94])], 1007),
        ([ClientFrame(0x01, [0xC3]), ClientFrame(0x80)], 1007),
        ([ClientFrame(0x01, [0xC3]), ClientFrame(0x80, [0x28])], 1007),
        // Close frames.
        ([ClientFrame(0x88, [0x03])], 1002),
        ([ClientFrame(0x88, [0x03, 0xE8, 0xC3])], 1007),
        ([ClientFrame(0x88, [0x03, 0xE8, 0xED, 0xA0, 0x80])], 1007),
    ]

    @Test("a client that breaks a rule gets the close code for it", arguments: faults)
    func closes(frames: [ClientFrame], code: UInt16) {
        let stream = (frames + [ClientFrame(text: "after")]).flatMap(\.bytes)
        for size in [1, 2, 5, 1_000_000] {
            let seen = events(of: stream, by: { size }).filter { $0 != .answer([0x8A, 0]) }
            #expect(seen == [.end(WebSocketFrame.closing(code: code))], "by \(size)")
        }
    }

    @Test("the fragments of a message of more than 64 KiB are refused by the header that adds up")
    func tooManyFragments() {
        let stream = Self.full.bytes + ClientFrame(0x00, [0x78]).bytes.prefix(2)
        #expect(events(of: stream, by: { 999 }).last == .end(WebSocketFrame.closing(code: 1009)))
    }

    @Test("text that is not UTF-8 is refused at its first wrong byte, also in a skipped message")
    func earlyFailure() {
        let end = SeenEvent.end(WebSocketFrame.closing(code: 1007))
        let short = ClientFrame(0x81, [0x61, 0xED, 0xA0, 0x80, 0x61]).bytes
        #expect(events(of: Array(short.prefix(8)), by: { 1 }) == [])
        #expect(events(of: Array(short.prefix(9)), by: { 1 }) == [end])
        let long = ClientFrame(0x81, [0xFF] + [UInt8](repeating: 0x78, count: 2000)).bytes
        #expect(events(of: Array(long.prefix(9)), by: { 1 }) == [.tooLong, end])
    }

    @Test(
        "the code of a close frame is echoed if a client may send it",
        arguments: [
            (0, 1002), (999, 1002), (1000, 1000), (1001, 1001), (1003, 1003), (1004, 1002),
            (1005, 1002), (1006, 1002), (1007, 1007), (1011, 1011), (1014, 1014), (1015, 1002),
            (1016, 1002), (2999, 1002), (3000, 3000), (4999, 4999), (5000, 1002), (65535, 1002),
        ] as [(UInt16, UInt16)])
    func closeCodes(sent: UInt16, echoed: UInt16) {
        let payload = [UInt8(sent >> 8), UInt8(sent & 0xFF)]
        let end = SeenEvent.end([0x88, 2, UInt8(echoed >> 8), UInt8(echoed & 0xFF)])
        expect([ClientFrame(0x88, payload)], [end])
        expect([ClientFrame(0x88, payload + Array("až".utf8)), ClientFrame(text: "after")], [end])
    }

    @Test("a close frame without a code is answered with one without a code")
    func closeWithoutCode() {
        expect([ClientFrame(0x01, [0x61]), ClientFrame(0x88)], [.end([0x88, 0])])
    }
}
