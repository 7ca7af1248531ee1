import TestSupport
import Testing
import Transport

@Suite struct OutboxTests {
    @Test("bytes due at one place are one entry")
    func coalescing() {
        let outbox = Outbox()
        outbox.append("ab", due: 3)
        outbox.append("c", due: 3)
        outbox.append("d", due: 9)
        #expect(outbox.entries.map(\.due) == [3, 9])
        #expect(outbox.entries.map(\.count) == [3, 1])
        #expect(outbox.text == "abcd")
    }

    @Test("what was sent is forgotten, within entries and across them", arguments: 0...6)
    func consuming(count: Int) {
        let outbox = Outbox()
        outbox.append("abc", due: 1)
        outbox.append("def", due: 2)
        outbox.consume(count)
        #expect(outbox.text == String("abcdef".dropFirst(count)))
        #expect(outbox.entries.map(\.count).reduce(0, +) == 6 - count)
        #expect(outbox.entries.allSatisfy { $0.count > 0 })
    }

    @Test("a flattened outbox has the feed between its replies, all due at once")
    func flattening() {
        var ring = Ring(limit: 64)
        ring.append("0123456789\n")
        let outbox = Outbox()
        outbox.append("<a>", due: 11)
        ring.append("bcd\n")
        outbox.append("<e>", due: 15)
        ring.append("fg\n")
        outbox.flatten(ring, from: 11)
        #expect(outbox.text == "<a>bcd\n<e>fg\n")
        #expect(outbox.entries.map(\.due) == [0])
    }

    @Test("bytes survive growth and compaction")
    func growth() {
        let outbox = Outbox()
        var expected = ""
        for number in 0..<500 {
            outbox.append("line \(number)\n", due: number)
            expected += "line \(number)\n"
            if number % 3 == 0 {
                outbox.consume(7)
                expected.removeFirst(7)
            }
        }
        #expect(outbox.text == expected)
    }

    @Test("thousands of entries are what a list of them would be", arguments: 0..<16)
    func manyEntries(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let outbox = Outbox()
        var list: [(due: Int, text: String)] = []
        for due in 1...3000 {
            let text = String(repeating: "abc", count: Int.random(in: 1...9, using: &random))
            outbox.append(text, due: due)
            list.append((due, text))
            guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
            var sent = Int.random(in: 0...outbox.count, using: &random)
            outbox.consume(sent)
            while let first = list.first, first.text.count <= sent {
                sent -= first.text.count
                list.removeFirst()
            }
            if sent > 0 { list[0].text.removeFirst(sent) }
            #expect(outbox.entries.map(\.due) == list.map(\.due))
            #expect(outbox.entries.map(\.count) == list.map(\.text.count))
            #expect(outbox.text == list.map(\.text).joined())
        }
    }

    @Test("the rest of a line goes first, whether there is room for it or not", arguments: 0...19)
    func prepending(sent: Int) {
        var ring = Ring(limit: 64)
        ring.append("hello\n")
        let outbox = Outbox()
        for due in 6..<16 { outbox.append("xy", due: due) }
        outbox.consume(sent)
        outbox.prepend(ring, 1..<6, due: 6)
        outbox.append("!", due: 20)
        let rest = String(repeating: "xy", count: 10).dropFirst(sent)
        #expect(outbox.text == "ello\n" + rest + "!")
        #expect(outbox.entries.map(\.due) == [6] + Array(6 + sent / 2..<16) + [20])
        #expect(outbox.entries.map(\.count).reduce(0, +) == outbox.count)
    }
}

extension Outbox {
    var text: String { String(decoding: unsent(0..<count), as: UTF8.self) }

    func append(_ text: String, due: Int) {
        Array(text.utf8).withUnsafeBytes { append($0, due: due) }
    }
}

@Suite struct DuePiecesTests {
    /// Replies due at 2, 5 and 9 of a feed.
    private let outbox: Outbox = {
        let outbox = Outbox()
        outbox.append("aa", due: 2)
        outbox.append("b", due: 5)
        outbox.append("ccc", due: 9)
        return outbox
    }()

    @Test("the feed and the replies come by turns")
    func order() {
        let pieces = all(DuePieces(2..<8, outbox))
        #expect(pieces == [.outbox(0..<2), .feed(2..<5), .outbox(2..<3), .feed(5..<8)])
    }

    @Test("a reply that is due at the end comes after it")
    func dueAtEnd() {
        let pieces = all(DuePieces(6..<9, outbox))
        #expect(pieces == [.outbox(0..<2), .outbox(2..<3), .feed(6..<9), .outbox(3..<6)])
    }

    @Test("a feed alone is one piece")
    func feedAlone() {
        #expect(all(DuePieces(3..<7, nil)) == [.feed(3..<7)])
        #expect(all(DuePieces(3..<3, nil)).isEmpty)
    }

    @Test("what was sent is divided at every byte", arguments: 0...13)
    func division(sent: Int) {
        // `n` is a byte of the feed, `r` of a reply.
        let bytes = Array("rrnnnrnnnnrrr".prefix(sent))
        let (ofFeed, ofOutbox) = DuePieces(2..<9, outbox).division(of: sent)
        #expect(ofFeed == bytes.count { $0 == "n" })
        #expect(ofOutbox == bytes.count { $0 == "r" })
    }

    private func all(_ pieces: DuePieces) -> [DuePieces.Piece] {
        Array(IteratorSequence(pieces))
    }
}
