import Basics
import TestSupport
import Testing
import Wire

@Suite struct ProxyHeaderTests {
    private static let client = PeerAddress(version4: 0xC000_0201)
    private static let client6 = PeerAddress(high: 0x2001_0DB8_0000_0000, low: 1)
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]
    private static let version4: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 1, 0xDC, 4, 1, 0xBB]
    private static let version6: [UInt8] =
        [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        + [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] + [0xDC, 4, 1, 0xBB]

    private static func header(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 0xFF)] + rest
    }

    static let headers: [(bytes: [UInt8], source: PeerAddress?)] = [
        (Array("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n".utf8), client),
        (Array("PROXY TCP4 192.0.2.1 198.51.100.1 0 65535\r\n".utf8), client),
        (Array("PROXY TCP6 2001:db8::1 2001:db8::2 56324 443\r\n".utf8), client6),
        (Array("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2\r\n".utf8), client),
        (Array("PROXY UNKNOWN\r\n".utf8), nil),
        (Array("PROXY UNKNOWN ffff::1 what ever\r\n".utf8), nil),
        (header(0x21, 0x11, version4), client),
        (header(0x21, 0x21, version6), client6),
        (header(0x21, 0x11, version4 + [3, 0, 4, 1, 2, 3, 4]), client),
        (header(0x21, 0x11, version4 + [UInt8](repeating: 4, count: 4084)), client),
        (header(0x21, 0x12, version4), nil), (header(0x21, 0x22, version6), nil),
        (header(0x21, 0x00, []), nil), (header(0x21, 0x00, [1, 2, 3]), nil),
        (header(0x21, 0x31, [UInt8](repeating: 0, count: 216)), nil),
        (header(0x20, 0x00, []), nil), (header(0x20, 0x11, version4), nil),
        (header(0x20, 0xFF, [1, 2]), nil),
    ]

    @Test("a header names the client's address, however it is split", arguments: headers)
    func whole(bytes: [UInt8], source: PeerAddress?) {
        let rest = Array("bid 100\n".utf8)
        for end in 0..<bytes.count {
            #expect(ProxyHeader.read(bytes[..<end]) == .needsMore, "after \(end) bytes")
        }
        for end in 0...rest.count {
            guard case .header(let header) = ProxyHeader.read(bytes + rest[..<end]) else {
                Issue.record("no header")
                continue
            }
            #expect(header.length == bytes.count)
            #expect(header.source == source)
        }
    }

    static let lines = [
        "\n", "\r\nbid 100\n", "bid 100\n", "PROXY\n", "PROXY\r\n",
        "PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n",
        "proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n",
        "PROXY TCP4 192.0.2.1  192.0.2.2 1 2\r\n", "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2 192.0.2.2 1 2\r\n", "PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n",
        "PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
        "PROXY TCP6 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY TCP6 ::1%lo ::1 1 2\r\n",
        "PROXY TCP6 1::2::3 ::1 1 2\r\n", "PROXY TCP6 12345::1 ::1 1 2\r\n",
        "PROXY TCP5 ::1 ::1 1 2\r\n", "PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n",
        "PROXY \u{301}UNKNOWN\r\n", "PROXY UNKNOWN \u{1B}[2J\r\n",
        "PROXY TCP6 ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ::1 1 2\r\n",
        "PROXY UNKNOWN " + String(repeating: "x", count: 92) + "\r\n",
        "PROXY UNKNOWN " + String(repeating: "x", count: 200),
    ]

    @Test("what is no line of version 1 is refused", arguments: lines)
    func notVersion1(line: String) {
        #expect(ProxyHeader.read(Array(line.utf8)) == .invalid)
    }

    @Test(
        "what is no header of version 2 is refused as soon as it shows",
        arguments: [
            signature + [0x11], signature + [0x22], signature + [0x31], signature + [0x21, 0x01],
            signature + [0x21, 0x10], signature + [0x21, 0x13], signature + [0x21, 0x41],
            signature + [0x21, 0x11, 0, 11], signature + [0x21, 0x21, 0, 35],
            signature + [0x21, 0x31, 0, 215], signature + [0x21, 0x11, 0x10, 0x01],
            signature + [0x20, 0x00, 0xFF, 0xFF], Array(signature.dropLast()) + [0x0B],
            header(0x21, 0x21, [UInt8](repeating: 0xFF, count: 36)),
        ])
    func notVersion2(bytes: [UInt8]) {
        #expect(ProxyHeader.read(bytes) == .invalid)
    }

    @Test("the longest line of version 1 has 107 bytes")
    func longest() {
        let line = "PROXY UNKNOWN " + String(repeating: "f", count: 91) + "\r\n"
        #expect(line.utf8.count == 107)
        let header = ProxyHeader(length: 107, source: nil)
        #expect(ProxyHeader.read(Array(line.utf8)) == .header(header))
    }

    @Test("no bytes stop the process", arguments: 0..<300 as Range<UInt64>)
    func anything(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bytes = Self.headers.randomElement(using: &generator)?.bytes ?? []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            guard let place = bytes.indices.randomElement(using: &generator) else { break }
            bytes[place] = .random(in: .min ... .max, using: &generator)
        }
        if case .header(let header) = ProxyHeader.read(bytes) {
            #expect((1...ProxyHeader.longest).contains(header.length))
            #expect(header.length <= bytes.count)
        }
    }
}
