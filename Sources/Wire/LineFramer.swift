/// Splits a stream of bytes into lines, in whatever parts the bytes arrive.
///
/// A line ends with LF, CRLF or CR NUL, which are not part of it; the last line may end with the
/// stream. Telnet negotiation is removed from the stream, and refused.
public struct LineFramer: Sendable {
    /// The most bytes of a line with its end.
    public static let protocolLimit = 1024

    /// What the framer finds in the stream.
    public enum Frame: ~Escapable {
        /// A line without its end.
        case line(Span<UInt8>)
        /// The beginning of a line over the limit; the rest of the line is skipped.
        case tooLong(beginning: Span<UInt8>)
        /// A telnet negotiation, and the bytes to answer it with.
        case negotiation(answer: [UInt8])
        /// As many bytes as a line may have, without any other frame in them.
        case filler
    }

    private enum Mode {
        case text
        case carriageReturn
        case telnet(TelnetCommand)
    }

    /// The capacity that is kept after a line; it is enough for clients that send whole lines.
    private static let keptCapacity = 64

    private var pending: [UInt8] = []
    private let limit: Int32
    /// The number of bytes since the last frame.
    private var bytesSinceFrame: Int32 = 0
    /// The number of lines that have ended, including those that were too long; it wraps around.
    public private(set) var lineCount: UInt32 = 0
    /// Whether the current line is too long, so that its rest is skipped.
    public private(set) var isSkippingLine = false
    /// Whether this step produced a frame.
    private var hasFrame = false
    private var mode = Mode.text

    /// Whether a line or a telnet command is incomplete.
    public var isUnfinished: Bool {
        if case .text = mode { return isSkippingLine || !pending.isEmpty }
        return true
    }

    /// Creates a framer for lines of at most `limit` bytes with their ends.
    public init(limit: Int = LineFramer.protocolLimit) {
        self.limit = Int32(limit)
    }

    /// Calls `body` with each frame that the bytes complete, in order; returns how many were used.
    ///
    /// All bytes are used, unless `isWanted`, which is called before each frame, returns false. The
    /// caller passes the rest again later.
    @discardableResult
    public mutating func receive(
        _ bytes: Span<UInt8>, while isWanted: () -> Bool = { true },
        _ body: (borrowing Frame) -> Void
    ) -> Int {
        var index = 0
        while index < bytes.count, isWanted() {
            let start = index
            switch mode {
            case .text:
                index = receiveText(bytes, from: index, body)
            case .carriageReturn:
                index = receiveAfterCarriageReturn(bytes, at: index, body)
            case .telnet(var command):
                mode = receiveCommand(bytes[index], of: &command, body) ? .text : .telnet(command)
                index += 1
            }
            note(index - start, body)
        }
        return index
    }

    /// Counts the bytes of a step, and reports those that produce no frame.
    private mutating func note(_ count: Int, _ body: (borrowing Frame) -> Void) {
        bytesSinceFrame = hasFrame ? 0 : bytesSinceFrame + Int32(count)
        hasFrame = false
        guard bytesSinceFrame >= limit else { return }
        bytesSinceFrame -= limit
        body(.filler)
    }

    /// Calls `body` with the incomplete last line when the stream ends, if there is one.
    public mutating func finish(_ body: (borrowing Frame) -> Void) {
        if !pending.isEmpty {
            body(.line(pending.span))
        }
        self = LineFramer(limit: Int(limit))
    }

    /// Uses bytes up to the next special one, and returns where to continue.
    ///
    /// At most as many as a line may have.
    private mutating func receiveText(
        _ bytes: Span<UInt8>, from start: Int, _ body: (borrowing Frame) -> Void
    ) -> Int {
        let stop = min(bytes.count, start + Int(limit) - pending.count)
        let end = Self.firstSpecial(in: bytes, from: start, to: stop)
        if end < stop, bytes[end] == Self.lineFeed, pending.isEmpty, !isSkippingLine {
            hasFrame = true
            lineCount &+= 1
            body(.line(bytes.extracting(start..<end)))
            return end + 1
        }
        hold(bytes.extracting(start..<end), body)
        guard end < stop else { return end }
        switch bytes[end] {
        case Self.lineFeed: endLine(terminator: 1, body)
        case Self.carriageReturn: mode = .carriageReturn
        default: mode = .telnet(TelnetCommand())
        }
        return end + 1
    }

    private mutating func receiveAfterCarriageReturn(
        _ bytes: Span<UInt8>, at index: Int, _ body: (borrowing Frame) -> Void
    ) -> Int {
        mode = .text
        if bytes[index] == Self.lineFeed || bytes[index] == 0 {
            endLine(terminator: 2, body)
            return index + 1
        }
        if !isSkippingLine { pending.append(Self.carriageReturn) }
        checkLimit(body)
        return index
    }

    /// Uses a byte of a telnet command, and returns whether it was the last.
    private mutating func receiveCommand(
        _ byte: UInt8, of command: inout TelnetCommand, _ body: (borrowing Frame) -> Void
    ) -> Bool {
        switch command.receive(byte) {
        case .goesOn: return false
        case .done: break
        case .refused(let answer):
            hasFrame = true
            body(.negotiation(answer: answer))
        case .data(let byte):
            if !isSkippingLine { pending.append(byte) }
            checkLimit(body)
        }
        return true
    }

    private mutating func hold(_ bytes: Span<UInt8>, _ body: (borrowing Frame) -> Void) {
        guard !isSkippingLine else { return }
        let room = min(bytes.count, Int(limit) - pending.count)
        bytes.extracting(first: room).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
        checkLimit(body)
    }

    /// Ends a line that has reached the limit, because its end cannot fit any more.
    private mutating func checkLimit(_ body: (borrowing Frame) -> Void) {
        guard pending.count >= limit else { return }
        isSkippingLine = true
        hasFrame = true
        body(.tooLong(beginning: pending.span))
        pending = []
    }

    private mutating func endLine(terminator: Int, _ body: (borrowing Frame) -> Void) {
        lineCount &+= 1
        hasFrame = !isSkippingLine
        if isSkippingLine {
            isSkippingLine = false
        } else if pending.count + terminator > limit {
            body(.tooLong(beginning: pending.span))
        } else {
            body(.line(pending.span))
        }
        pending.removeAll(keepingCapacity: pending.capacity <= Self.keptCapacity)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The index of the first byte with a meaning of its own; `stop` if there is none before it.
    ///
    /// Eight bytes at a time, because every byte that a client sends comes by here.
    private static func firstSpecial(
        in bytes: Span<UInt8>, from start: Int, to stop: Int
    ) -> Int {
        bytes.withUnsafeBytes { bytes in
            var index = start
            while index < stop, index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let found = specialBytes(of: UInt64(littleEndian: word))
                if found != 0 { return min(index + found.trailingZeroBitCount / 8, stop) }
                index += 8
            }
            while index < stop, specialBytes(of: UInt64(bytes[index])) & 0x80 == 0 { index += 1 }
            return min(index, stop)
        }
    }

    /// The top bit of the lowest special byte of a word, and perhaps of bytes above it.
    private static func specialBytes(of word: UInt64) -> UInt64 {
        zeroBytes(of: word ^ ones &* UInt64(lineFeed))
            | zeroBytes(of: word ^ ones &* UInt64(carriageReturn))
            | zeroBytes(of: word ^ ones &* UInt64(TelnetCommand.introducer))
    }

    /// The top bit of the lowest byte that is 0, and perhaps of bytes above it.
    private static func zeroBytes(of word: UInt64) -> UInt64 {
        (word &- ones) & ~word & (ones &* 0x80)
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
}
