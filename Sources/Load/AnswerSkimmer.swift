#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Finds the answers and the newest price among the lines of a server, however they are split.
///
/// It looks at the first bytes of each line only: whoever measures a server may not cost more than
/// it does. Of a line under way it keeps 32 bytes.
public struct AnswerSkimmer: AnswerReader {
    private static let keptBytes = 32
    private static let lineFeed: Int32 = 10

    /// The price that the newest `PRICE` line told; 0 before the first.
    public private(set) var price: Int64 = 0
    /// The prices since `countNews`.
    public private(set) var news: PriceNews? = PriceNews()
    /// The bytes of news since the newest price; nil before the first.
    private var bytesSince: Int?
    /// The beginning of the line under way.
    private var beginning: [UInt8] = []
    /// How much has arrived of it.
    private var arrived = 0

    /// Creates a skimmer at the start of a line.
    public init() {}

    /// Starts to count `news` anew.
    public mutating func countNews() {
        (news, bytesSince) = (PriceNews(), nil)
    }

    /// Reads bytes, and calls `body` with each answer that they complete, in order.
    public mutating func receive(_ bytes: Span<UInt8>, _ body: (Answer) -> Void) {
        bytes.withUnsafeBytes { receive($0, body) }
    }

    private mutating func receive(_ bytes: UnsafeRawBufferPointer, _ body: (Answer) -> Void) {
        guard let base = bytes.baseAddress else { return }
        var start = base
        let end = base + bytes.count
        var newestPrice: UnsafeRawBufferPointer?
        while let found = memchr(start, Self.lineFeed, end - start) {
            let line = UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(found) - start)
            start = UnsafeRawPointer(found) + 1
            if !beginning.isEmpty {
                finish(with: line, body)
            } else if Self.isPrice(line) {
                newestPrice = line
                countPrice(line.count + 1)
            } else if let answer = Self.answer(line) {
                body(answer)
            } else {
                countOther(line.count + 1)
            }
        }
        if let newestPrice { price = leadingAmount(newestPrice.dropFirst(6)) }
        keep(UnsafeRawBufferPointer(start: start, count: end - start))
    }

    private mutating func countPrice(_ lineBytes: Int) {
        news?.prices += 1
        news?.bytes += (bytesSince ?? 0) + lineBytes
        bytesSince = 0
    }

    private mutating func countOther(_ lineBytes: Int) {
        if let bytesSince { self.bytesSince = bytesSince + lineBytes }
    }

    private mutating func keep(_ part: UnsafeRawBufferPointer) {
        arrived += part.count
        beginning.append(contentsOf: part.prefix(Self.keptBytes - beginning.count))
    }

    private mutating func finish(with rest: UnsafeRawBufferPointer, _ body: (Answer) -> Void) {
        keep(rest)
        let (newPrice, answer) = beginning.withUnsafeBytes { line in
            Self.isPrice(line)
                ? (leadingAmount(line.dropFirst(6)), nil) : (nil, Self.answer(line))
        }
        let lineBytes = arrived + 1
        beginning.removeAll(keepingCapacity: true)
        arrived = 0
        if let newPrice {
            price = newPrice
            countPrice(lineBytes)
        } else if let answer {
            body(answer)
        } else {
            countOther(lineBytes)
        }
    }

    private static func isPrice(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count > 6 && line[0] == UInt8(ascii: "P") && line[1] == UInt8(ascii: "R")
    }

    /// Tells `OK` from `OVER`, and the errors by their first letters.
    private static func answer(_ line: UnsafeRawBufferPointer) -> Answer? {
        guard line.count > 2 else { return nil }
        if line[0] == UInt8(ascii: "O") && line[1] == UInt8(ascii: "K") { return .ok }
        guard line[0] == UInt8(ascii: "E") else { return nil }
        let word = line.dropFirst(6).prefix { $0 != UInt8(ascii: " ") }
        if word.elementsEqual("too-low".utf8) { return .tooLow }
        if word.elementsEqual("leading".utf8) { return .leading }
        return word.elementsEqual("name-taken".utf8) ? .nameTaken : .otherError
    }
}
