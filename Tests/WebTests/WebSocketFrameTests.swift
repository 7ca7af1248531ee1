import TestSupport
import Testing
import Web

@Suite struct WebSocketFrameTests {
    @Test(
        "the header has the shortest length",
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
            (65535, [0x81, 126, 255, 255]), (65536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func header(count: Int, header: [UInt8]) {
        let payload = [UInt8](repeating: 0x78, count: count)
        var bytes: [UInt8] = [1]
        WebSocketFrame.appendText(payload, to: &bytes)
        WebSocketFrame.appendText(payload.span, to: &bytes)
        WebSocketFrame.appendText(payload[...], to: &bytes)
        #expect(bytes == [1] + header + payload + header + payload + header + payload)
    }

    @Test("a close frame has a code and a reason")
    func closing() {
        #expect(WebSocketFrame.closing(code: 1001) == [0x88, 2, 3, 0xE9])
        #expect(WebSocketFrame.closing(code: 1000, reason: "ok") == [0x88, 4, 3, 0xE8, 0x6F, 0x6B])
    }
}
