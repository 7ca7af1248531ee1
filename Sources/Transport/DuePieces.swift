/// What is due to one connection, of its feed and of its outbox by turns, in the order of sending.
package struct DuePieces: IteratorProtocol {
    /// A part of the feed by its positions, or of what the outbox has not sent.
    package enum Piece: Equatable {
        case feed(Range<Int>)
        case outbox(Range<Int>)
    }

    private var entries: ArraySlice<Outbox.Entry>.Iterator
    private var entry: Outbox.Entry?
    private var offset = 0
    private var position: Int
    private let limit: Int

    /// From a position in the feed up to another; replies that are due later are not due yet.
    package init(_ range: Range<Int>, _ outbox: Outbox?) {
        (position, limit) = (range.lowerBound, range.upperBound)
        entries = (outbox?.entries ?? []).makeIterator()
        entry = entries.next()
    }

    package mutating func next() -> Piece? {
        guard let entry, entry.due <= limit else { return feed(upTo: limit) }
        if let piece = feed(upTo: entry.due) { return piece }
        let start = offset
        offset += entry.count
        self.entry = entries.next()
        return .outbox(start..<offset)
    }

    /// How many of the first `sent` bytes were of the feed, and how many private.
    package mutating func division(of sent: Int) -> (feed: Int, outbox: Int) {
        var left = sent
        var ofOutbox = 0
        while left > 0, let piece = next() {
            switch piece {
            case .feed(let range): left -= min(left, range.count)
            case .outbox(let range):
                ofOutbox += min(left, range.count)
                left -= min(left, range.count)
            }
        }
        return (sent - ofOutbox, ofOutbox)
    }

    private mutating func feed(upTo end: Int) -> Piece? {
        guard position < end else { return nil }
        defer { position = end }
        return .feed(position..<end)
    }
}
