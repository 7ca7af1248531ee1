import Bidder
import Terminal
import TestSupport
import Testing

@Suite struct KeyReaderTests {
    static let sequences: [(sent: Raw, read: [Key])] = [
        ("a", [.character("a")]),
        ("é€😀", [.character("é"), .character("€"), .character("😀")]),
        ("e\u{301}", [.character("e"), .character("\u{301}")]),
        ("\r", [.enter]),
        ("\n", [.control("j")]),
        ("\r\n", [.enter, .control("j")]),
        ("\t", [.tab]),
        ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{1}\u{3}\u{1A}", [.control("a"), .control("c"), .control("z")]),
        ("\u{0}\u{1C}\u{1F}", [.control("@"), .control("\\"), .control("_")]),
        ("\u{9B}", [.unknown]),
        // The arrows of xterm, in normal and in application mode.
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD", [.up, .down, .right, .left]),
        ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.home, .end, .home, .end]),
        ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.home, .end, .home, .end]),
        ("\u{1B}[3~\u{1B}[5~\u{1B}[6~", [.delete, .pageUp, .pageDown]),
        // With Control, Alt and Meta; Shift makes no difference.
        ("\u{1B}[1;5C\u{1B}[1;5D", [.wordRight, .wordLeft]),
        ("\u{1B}[1;3C\u{1B}[1;3D", [.wordRight, .wordLeft]),
        ("\u{1B}[1;9C\u{1B}[1;7D", [.wordRight, .wordLeft]),
        ("\u{1B}[5C\u{1B}O5D", [.wordRight, .wordLeft]),
        ("\u{1B}[1;2C\u{1B}[1;2D", [.right, .left]),
        ("\u{1B}[1;5A\u{1B}[1;5H\u{1B}[3;5~", [.up, .home, .delete]),
        // The same in rxvt.
        ("\u{1B}Oc\u{1B}Od\u{1B}[c\u{1B}[d", [.wordRight, .wordLeft, .right, .left]),
        ("\u{1B}[7^\u{1B}[8$\u{1B}[3@", [.home, .end, .delete]),
        ("\u{1B}\u{1B}[C\u{1B}\u{1B}OD\u{1B}\u{1B}[A", [.wordRight, .wordLeft, .up]),
        ("\u{1B}b\u{1B}f\u{1B}\u{7F}", [.wordLeft, .wordRight, .control("w")]),
        ("\u{1B}x\u{1B}é1", [.unknown, .unknown, .character("1")]),
        ("\u{1B}\r", [.escape, .enter]),
        ("\u{1B}\u{1B}x", [.escape, .unknown]),
        ("\u{1B}\u{1B}\u{1B}[A", [.escape, .up]),
    ]

    @Test("a sequence gives its keys, however it is split", arguments: sequences)
    func sequence(sent: Raw, read: [Key]) {
        for size in [1, 2, 3, 1000] {
            var reader = KeyReader()
            #expect(keys(of: sent.bytes, by: size, with: &reader) == read)
            #expect(!reader.awaitsMore)
        }
    }

    static let unknown: [Raw] = [
        "\u{1B}[I", "\u{1B}[2~", "\u{1B}[15~", "\u{1B}[~", "\u{1B}[Z", "\u{1B}OP", "\u{1B}[[A",
        "\u{1B}[?62;22c", "\u{1B}[?2026;2$y", "\u{1B}[<0;10;10M", "\u{1B}[24;80R", "\u{1B}[1;5:3Q",
        "\u{1B}[99;5u", "\u{1B}[ q", "\u{1B}[201~", "\u{1B}[99999999999999999999C", "\u{1B}[+5C",
        "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]0;é\u{1B}\\", "\u{1B}P1$r0m\u{1B}\\",
        "\u{1B}_Gi=1;OK\u{1B}\\", "\u{1B}^x\u{1B}\\", "\u{1B}Xx\u{1B}\\",
        "\u{1B}[\(String(repeating: "1;", count: 2000))~",
        "\u{1B}]\(String(repeating: "x", count: 4000))\u{7}",
    ]

    @Test("an unknown sequence is one unknown key, however it is split", arguments: unknown)
    func swallowed(sent: Raw) {
        for size in [1, 2, 7, 10_000] {
            var reader = KeyReader()
            let read = keys(of: sent.bytes + Array("a".utf8), by: size, with: &reader)
            #expect(read == [.unknown, .character("a")])
        }
    }

    static let brokenOff: [(sent: Raw, read: [Key])] = [
        ("\u{1B}[1\u{3}", [.unknown, .control("c")]),
        ("\u{1B}[1\u{1B}[A", [.unknown, .up]),
        ("\u{1B}[[\r", [.unknown, .enter]),
        ("\u{1B}[1é", [.unknown, .character("é")]),
        ("\u{1B}O\u{3}", [.unknown, .control("c")]),
        ("\u{1B}]0;title\u{3}", [.unknown, .control("c")]),
        ("\u{1B}]0;title\u{1B}[A", [.unknown, .up]),
        ("\u{1B}Pq\r", [.unknown, .enter]),
    ]

    @Test("a byte that cannot be part of a sequence aborts it and is a key", arguments: brokenOff)
    func read(sent: Raw, read: [Key]) {
        for size in [1, 2, 1000] {
            var reader = KeyReader()
            #expect(keys(of: sent.bytes, by: size, with: &reader) == read)
        }
    }

    @Test(
        "a sequence or string without an end is aborted",
        arguments: ["\u{1B}[", "\u{1B}]"] as [Raw])
    func endless(beginning: Raw) {
        var reader = KeyReader()
        let read = reader.receive(
            Array((beginning.text + String(repeating: "1", count: 5000)).utf8).span)
        #expect(read.first == .unknown)
        #expect(read.dropFirst().allSatisfy { $0 == .character("1") })
        #expect(!reader.awaitsMore)
    }

    static let held: [(sent: [UInt8], flushed: [Key])] = [
        ([0x1B], [.escape]),
        ([0x1B, 0x1B], [.escape, .escape]),
        ([0x1B, 0x5B], [.unknown]),
        ([0x1B, 0x4F], [.unknown]),
        ([0x1B, 0x5B, 0x31, 0x3B], [.unknown]),
        ([0x1B, 0x5D, 0x30], [.unknown]),
        ([0x1B, 0x5D, 0x30, 0x1B], [.unknown, .escape]),
        ([0x1B, 0xC3], [.unknown]),
        ([0xC3], [.character("\u{FFFD}")]),
        ([0xF0, 0x9F, 0x98], [.character("\u{FFFD}")]),
    ]

    @Test("a flush returns the keys of an incomplete sequence once", arguments: held)
    func flush(sent: [UInt8], flushed: [Key]) {
        var reader = KeyReader()
        #expect(reader.receive(sent.span).isEmpty)
        #expect(reader.awaitsMore)
        #expect(reader.flush() == flushed)
        #expect(!reader.awaitsMore)
        #expect(reader.flush().isEmpty)
        #expect(reader.receive([0x61].span) == [.character("a")])
    }

    static let faults: [[UInt8]] = [
        [0x80], [0xFF], [0xC0, 0x80], [0xC3, 0x61], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
        [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82, 0x61], [0xE2, 0xE2, 0x82],
        [0xF0, 0x9F, 0x98, 0xC3, 0xA9], [0xF5, 0x80],
    ]

    @Test(
        "invalid UTF-8 becomes U+FFFD, as in a string", arguments: faults)
    func faulty(bytes: [UInt8]) {
        for size in [1, 2, 10] {
            var reader = KeyReader()
            let read = keys(of: bytes, by: size, with: &reader) + reader.flush()
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            #expect(read == scalars.map { .character(Character($0)) })
        }
    }
}

@Suite struct KeyReaderChaosTests {
    @Test("random bytes give the same keys however they are split", arguments: 0..<16)
    func split(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let bytes = chance.terminalBytes(count: Int.random(in: 0...200, using: &chance))
            var (whole, single, pieces) = (KeyReader(), KeyReader(), KeyReader())
            let read = keys(of: bytes, by: 1000, with: &whole)
            #expect(keys(of: bytes, by: 1, with: &single) == read)
            #expect(keys(of: bytes, by: 1 + bytes.count / 3, with: &pieces) == read)
            let rest = whole.flush()
            #expect(single.flush() == rest)
            #expect(pieces.flush() == rest)
        }
    }

    @Test(
        "random bytes give a bounded number of keys, and escape always resets the reader",
        arguments: 0..<16)
    func bounded(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var reader = KeyReader()
        for _ in 0..<50 {
            let bytes = chance.terminalBytes(count: 2000)
            let read = keys(of: bytes, by: Int.random(in: 1...100, using: &chance), with: &reader)
            #expect(read.count <= bytes.count + 2)
            #expect(read.allSatisfy { $0.byteCount <= 4096 })
            _ = reader.receive([0x1B].span)
            let rest = reader.flush()
            #expect(rest.count <= 2 && rest.allSatisfy { $0.byteCount <= 4096 })
            #expect(!reader.awaitsMore)
            #expect(reader.receive([0x03].span) == [.control("c")])
        }
    }
}

extension Key {
    fileprivate var byteCount: Int {
        if case .pasted(let text) = self { text.utf8.count } else { 0 }
    }
}

extension SplitMix64 {
    /// Random bytes with many parts of control sequences.
    fileprivate mutating func terminalBytes(count: Int) -> [UInt8] {
        let parts = [
            "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}]", "\u{1B}\\",
            "\u{7}", ";", "5", "A", "~", "$", "[", "é", "😀", "\r", "\n", "\u{3}",
        ]
        var bytes: [UInt8] = []
        while bytes.count < count {
            if Bool.random(using: &self) {
                bytes.append(UInt8.random(in: 0...255, using: &self))
            } else {
                bytes += Array((parts.randomElement(using: &self) ?? "").utf8)
            }
        }
        return bytes
    }
}
