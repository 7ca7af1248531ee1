import TestSupport
import Testing
import Typing

@Suite struct KeyReaderChaosTests {
    @Test("any bytes one at a time are the keys that they are all at once", arguments: 0..<16)
    func split(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let bytes = chance.terminalBytes(count: Int.random(in: 0...200, using: &chance))
            var (whole, single, pieces) = (KeyReader(), KeyReader(), KeyReader())
            let heard = keys(of: bytes, by: 1000, with: &whole)
            #expect(keys(of: bytes, by: 1, with: &single) == heard)
            #expect(keys(of: bytes, by: 1 + bytes.count / 3, with: &pieces) == heard)
            let rest = whole.flush()
            #expect(single.flush() == rest)
            #expect(pieces.flush() == rest)
        }
    }

    @Test(
        "no bytes give more keys than there are bytes, or leave the keyboard dead",
        arguments: 0..<16)
    func bounded(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        var reader = KeyReader()
        for _ in 0..<50 {
            let bytes = chance.terminalBytes(count: 2000)
            let heard = keys(of: bytes, by: Int.random(in: 1...100, using: &chance), with: &reader)
            #expect(heard.count <= bytes.count + 2)
            #expect(heard.allSatisfy { $0.byteCount <= 4096 })
            // Escape, pressed alone, gets one out of everything.
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
    /// Bytes at random, of which many begin, go on with or end what a terminal sends.
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
