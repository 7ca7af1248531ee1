import Basics

/// A buffer of encoded lines, each with its mark and its checksum.
struct ChecksummedLines: ~Copyable {
    /// An upper bound of the bytes of a line beside its words: mark, sum, metadata and star.
    private static let frame = 64

    /// The sum of the newest line, which `removeAll` keeps.
    private(set) var sum: Sum
    /// The number of bytes.
    private(set) var count = 0
    private var memory: UnsafeMutableRawPointer
    private var capacity = 1 << 16
    private let checksum = CRC32C()

    /// Creates an empty buffer; the first line continues the chain after this sum.
    init(after sum: Sum) {
        self.sum = sum
        memory = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// The lines, valid until the next mutation.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Removes all lines; the next one continues the chain.
    mutating func removeAll() {
        count = 0
    }

    /// Appends a line; a star states that everything before it is durable.
    @inline(__always)
    mutating func append(
        _ kind: EntryKind, words: UnsafeRawBufferPointer, metadata: Int64?, isStarred: Bool
    ) {
        reserve(words.count + Self.frame)
        let start = count
        append(kind)
        let (sumStart, wordsStart) = (count, count + Sum.length + 1)
        count = wordsStart
        (memory + count).copyMemory(words)
        count += words.count
        append(metadata: metadata, isStarred: isStarred)
        sum = checksum.sum(
            after: sum, mark: range(start, sumStart), rest: range(wordsStart, count))
        memory.storeBytes(of: sum.text, toByteOffset: sumStart, as: UInt64.self)
        memory.storeBytes(of: UInt8(ascii: " "), toByteOffset: wordsStart - 1, as: UInt8.self)
        append(UInt8(ascii: "\n"))
    }

    /// Appends the entries of a batch, without a star.
    mutating func append(_ batch: LogBatch) {
        reserve(batch.text.count + batch.entries.count * Self.frame)
        batch.text.withUnsafeBytes { text in
            var start = 0
            for entry in batch.entries {
                let words = UnsafeRawBufferPointer(rebasing: text[start..<(start + entry.length)])
                append(entry.kind, words: words, metadata: entry.metadata, isStarred: false)
                start += entry.length + 1
            }
        }
    }

    private func range(_ start: Int, _ end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + start, count: end - start)
    }

    @inline(__always)
    private mutating func append(_ kind: EntryKind) {
        switch kind {
        case .event(let number): append(Int64(number))
        case .restated(let number):
            append(UInt8(ascii: "="))
            append(Int64(number))
        case .note, .segment: append(UInt8(ascii: "-"))
        }
        append(UInt8(ascii: " "))
    }

    @inline(__always)
    private mutating func append(metadata: Int64?, isStarred: Bool) {
        guard metadata != nil || isStarred else { return }
        append(UInt8(ascii: "\t"))
        if let metadata { append(metadata) }
        if metadata != nil && isStarred { append(UInt8(ascii: " ")) }
        if isStarred { append(UInt8(ascii: "*")) }
    }

    @inline(__always)
    private mutating func append(_ byte: UInt8) {
        memory.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count += 1
    }

    private mutating func append(_ number: Int64) {
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19 && UInt64(number) >= bound { (digits, bound) = (digits + 1, bound * 10) }
        var rest = UInt64(number)
        for offset in (count..<count + digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: rest % 10)
            memory.storeBytes(of: UInt8(ascii: "0") + digit, toByteOffset: offset, as: UInt8.self)
            rest /= 10
        }
        count += digits
    }

    private mutating func reserve(_ more: Int) {
        guard count + more > capacity else { return }
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: memory, byteCount: count)
        memory.deallocate()
        memory = larger
    }
}

extension UnsafeMutableRawPointer {
    @inline(__always)
    fileprivate func copyMemory(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress { copyMemory(from: source, byteCount: bytes.count) }
    }
}
