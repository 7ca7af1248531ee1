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

    private static let reservedBits = [0xC1, 0xA1, 0x91].map { [ClientFrame($0, [0x61])] }
    private static let reservedOpcodes = [
        0x83, 0x84, 0x85, 0x86, 0x87, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F,
    ].map { [ClientFrame($0)] }

    private static let unmaskedFrames = [
        [unmasked(ClientFrame(text: "a"))], [unmasked(ClientFrame(0x89))],
    ]
    private static let controlFrames = [
        [frame(0x89, 126, as: .shortest)], [frame(0x88, 126, as: .shortest)],
        [frame(0x8A, 70_000, as: .shortest)], [frame(0x89, 5, as: .sixteenBits)],
        [ClientFrame(0x09)], [ClientFrame(0x08)], [ClientFrame(0x0A)], [ClientFrame(0x88, [0x03])],
    ]
    private static let fragments = [
        [ClientFrame(0x80, [0x61])], [ClientFrame(0x00, [0x61])], [start, ClientFrame(text: "a")],
        [start, ClientFrame(0x82, [0x61])], [start, ClientFrame(0x89), ClientFrame(text: "a")],
    ]
    private static let lengths = [
        [frame(0x81, 125, as: .sixteenBits)], [frame(0x81, 0, as: .sixteenBits)],
        [frame(0x81, 125, as: .sixtyFourBits)], [frame(0x81, 65535, as: .sixtyFourBits)],
        [claiming(1 << 63)], [claiming(.max)],
    ]
    private static let tooLong = [.max >> 1, 65537, 1 << 32, 1 << 32 | 1, 1 << 56].map {
        [claiming($0)]
    }
    private static let binaryMessages = [[ClientFrame(0x82, [0x61])], [ClientFrame(0x02, [0x61])]]

    /// Text that is not UTF-8: out of range, surrogates, overlong, cut; also in a close frame.
    private static let invalidTexts =
        ([
            [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3],
            [0xF0, 0x9F, 0x94],
        ] as [[UInt8]]).map { [ClientFrame(0x81, $0)] } + [
            [ClientFrame(0x01, [0xC3]), ClientFrame(0x80)],
            [ClientFrame(0x01, [0xC3]), ClientFrame(0x80, [0x28])],
            [ClientFrame(0x88, [0x03, 0xE8, 0xC3])],
            [ClientFrame(0x88, [0x03, 0xE8, 0xED, 0xA0, 0x80])],
        ]

    private static let faults: [(code: UInt16, frames: [[ClientFrame]])] = [
        (1002, reservedBits), (1002, reservedOpcodes), (1002, unmaskedFrames),
        (1002, controlFrames), (1002, fragments), (1002, lengths), (1003, binaryMessages),
        (1007, invalidTexts), (1009, tooLong),
    ]

    @Test("a client that breaks a rule gets the close code for it", arguments: faults)
    func closes(code: UInt16, faults: [[ClientFrame]]) {
        for frames in faults {
            let stream = (frames + [ClientFrame(text: "after")]).flatMap(\.bytes)
            for size in [1, 2, 5, 1_000_000] {
                let seen = events(of: stream, by: { size }).filter { $0 != .answer([0x8A, 0]) }
                let end = SeenEvent.end(WebSocketFrame.closing(code: code))
                #expect(seen == [end], "\(frames) by \(size)")
            }
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
