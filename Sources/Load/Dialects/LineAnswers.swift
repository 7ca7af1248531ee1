/// Answers that are lines, each known by how it begins.
public struct LineAnswers: AnswerReader {
    /// No beginning is longer.
    private static let keptBytes = 4

    private let meanings: [(beginning: [UInt8], answer: Answer)]
    private let ping: [UInt8]?
    /// The beginning of the line under way.
    private var line: [UInt8] = []
    /// How often the server has asked whether the bidder is there.
    public private(set) var pings = 0

    init(_ meanings: KeyValuePairs<String, Answer>, ping: String? = nil) {
        self.meanings = meanings.map { (Array($0.utf8), $1) }
        self.ping = ping.map { Array($0.utf8) }
        line.reserveCapacity(Self.keptBytes)
    }

    /// Reads bytes, and calls `body` with each answer that they complete, in order.
    public mutating func receive(_ bytes: Span<UInt8>, _ body: (Answer) -> Void) {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte != UInt8(ascii: "\n") {
                if line.count < Self.keptBytes { line.append(byte) }
                continue
            }
            if let ping, line.starts(with: ping) { pings += 1 }
            if let answer { body(answer) }
            line.removeAll(keepingCapacity: true)
        }
    }

    private var answer: Answer? {
        meanings.first { line.starts(with: $0.beginning) }?.answer
    }
}

/// Answers that are frames of one size, each of which accepts a bid.
public struct FrameAnswers: AnswerReader {
    private let size: Int
    /// How much has arrived of the frame under way.
    private var carried = 0

    init(size: Int) {
        self.size = size
    }

    /// Reads bytes, and calls `body` with each answer that they complete, in order.
    public mutating func receive(_ bytes: Span<UInt8>, _ body: (Answer) -> Void) {
        carried += bytes.count
        while carried >= size {
            carried -= size
            body(.ok)
        }
    }
}
