import Testing
import Transport

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
        var pieces = DuePieces(2..<9, outbox)
        let (ofFeed, ofOutbox) = pieces.division(of: sent)
        #expect(ofFeed == bytes.count { $0 == "n" })
        #expect(ofOutbox == bytes.count { $0 == "r" })
    }

    private func all(_ pieces: DuePieces) -> [DuePieces.Piece] {
        Array(IteratorSequence(pieces))
    }
}
