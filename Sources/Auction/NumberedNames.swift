/// Names ordered by number; each is appended with a greater number than all others.
///
/// Appending and removing are O(log n), and move at most some hundred names.
package struct NumberedNames {
    /// A name and its number.
    package struct Entry: Equatable {
        package let number: Int
        package let bidder: Bidder
    }

    /// The most names of a chunk.
    private static let chunkSize = 256

    /// - Invariant: no chunk is empty, and the numbers ascend within each and from each to the
    /// next.
    private var chunks: [[Entry]] = []

    /// Makes an empty list.
    package init() {}

    /// The number of names.
    package private(set) var count = 0

    /// The name with the least number.
    package var first: Entry? { chunks.first?.first }

    /// Adds a name at the end.
    package mutating func append(_ bidder: Bidder, number: Int) {
        precondition(chunks.last?.last.map { $0.number < number } ?? true, "numbers ascend")
        if chunks.last.map({ $0.count >= Self.chunkSize }) ?? true {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(Self.chunkSize)
        }
        chunks[chunks.count - 1].append(Entry(number: number, bidder: bidder))
        count += 1
    }

    /// Removes the name with this number, if there is one.
    package mutating func remove(number: Int) {
        let chunk = firstChunk(endingAt: number)
        guard chunk < chunks.count else { return }
        let place = chunks[chunk].firstIndex(from: number)
        guard chunks[chunk][place].number == number else { return }
        chunks[chunk].remove(at: place)
        count -= 1
        compact(around: chunk)
    }

    /// Returns the names with greater numbers than this one, at most `limit`, in order.
    ///
    /// O(log n + limit).
    package func entries(after number: Int, limit: Int) -> [Entry] {
        var found: [Entry] = []
        var chunk = firstChunk(endingAt: number + 1)
        while chunk < chunks.count, found.count < limit {
            let entries = chunks[chunk]
            let place = found.isEmpty ? entries.firstIndex(from: number + 1) : 0
            found += entries[place...].prefix(limit - found.count)
            chunk += 1
        }
        return found
    }

    /// Calls `body` with each name, in order.
    package func forEach(_ body: (Bidder) -> Void) {
        for chunk in chunks { for entry in chunk { body(entry.bidder) } }
    }

    /// The index of the first chunk whose last number is at least this one.
    private func firstChunk(endingAt number: Int) -> Int {
        chunks.partition { chunk in chunk[chunk.count - 1].number >= number }
    }

    /// Removes an empty chunk, and merges a small one with the next, to bound the number of chunks.
    private mutating func compact(around chunk: Int) {
        if chunks[chunk].isEmpty {
            chunks.remove(at: chunk)
        } else if chunk + 1 < chunks.count,
            chunks[chunk].count + chunks[chunk + 1].count <= Self.chunkSize / 2
        {
            chunks[chunk] += chunks.remove(at: chunk + 1)
        }
    }
}

extension [NumberedNames.Entry] {
    /// The index of the first entry with at least this number.
    fileprivate func firstIndex(from number: Int) -> Int {
        partition { $0.number >= number }
    }
}

extension Array {
    /// The index of the first element that meets a condition, by binary search.
    fileprivate func partition(where meets: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if meets(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
