/// Cuts a stream of bytes into lines, however the bytes are split on their way.
///
/// A line ends with LF, CRLF or CR NUL, which are not part of it, and the last one may end with the
/// stream. Telnet negotiation is taken out of the stream on the way, and refused.
public struct LineFramer: Sendable {
    /// The most bytes that a line may have with its end.
    public static let protocolLimit = 1024

    /// What the framer finds in the stream.
    public enum Frame: ~Escapable {
        /// A line without its end.
        case line(Span<UInt8>)
        /// A line over the limit, of which this is the beginning; the rest of it is read past.
        case tooLong(beginning: Span<UInt8>)
        /// A telnet negotiation, which is to be answered with these bytes.
        case negotiation(answer: [UInt8])
        /// As many bytes as a line may have, with nothing in them that could be told.
        case filler
    }

    private enum Mode {
        case text
        case carriageReturn
        case telnet(TelnetCommand)
    }

    /// Who says whole lines, as most do, keeps no more memory than this.
    private static let keptCapacity = 64

    private let limit: Int
    private var pending: [UInt8] = []
    /// Whether the line that is under way is too long, so that it is read past.
    public private(set) var isSkippingLine = false
    private var mode = Mode.text
    /// How many bytes were taken since the last frame; whether a frame came in this step.
    private var (untold, hasTold) = (0, false)

    /// How many lines have ended, also of those that were too long; it starts again after the last
    /// number.
    public private(set) var lineCount: UInt32 = 0

    /// Whether a line is under way, or a telnet command.
    public var isUnfinished: Bool {
        if case .text = mode { return isSkippingLine || !pending.isEmpty }
        return true
    }

    /// Makes a framer for lines of at most so many bytes with their ends.
    public init(limit: Int = LineFramer.protocolLimit) {
        self.limit = limit
    }

    /// Calls `body` with each frame that the bytes complete, in order, and returns how many bytes
    /// were taken.
    ///
    /// That is all of them, unless `isWanted`, asked before each frame, says that no more is wanted
    /// for now; the rest is to be given again.
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

    /// Notes how many bytes a step took, and tells of those that came to nothing.
    private mutating func note(_ count: Int, _ body: (borrowing Frame) -> Void) {
        untold = hasTold ? 0 : untold + count
        hasTold = false
        guard untold >= limit else { return }
        untold -= limit
        body(.filler)
    }

    /// Calls `body` with the line that was under way when the stream ended, if there is one.
    public mutating func finish(_ body: (borrowing Frame) -> Void) {
        if !pending.isEmpty {
            body(.line(pending.span))
        }
        self = LineFramer(limit: limit)
    }

    /// Takes bytes up to the next that means something, as many as a line may have, and returns
    /// where to go on.
    private mutating func receiveText(
        _ bytes: Span<UInt8>, from start: Int, _ body: (borrowing Frame) -> Void
    ) -> Int {
        let stop = min(bytes.count, start + limit - pending.count)
        var end = start
        while end < stop, !Self.isSpecial(bytes[end]) { end += 1 }
        if end < stop, bytes[end] == Self.lineFeed, pending.isEmpty, !isSkippingLine {
            hasTold = true
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

    /// Takes a byte of a telnet command, and returns whether it was the last.
    private mutating func receiveCommand(
        _ byte: UInt8, of command: inout TelnetCommand, _ body: (borrowing Frame) -> Void
    ) -> Bool {
        switch command.receive(byte) {
        case .goesOn: return false
        case .done: break
        case .refused(let answer):
            hasTold = true
            body(.negotiation(answer: answer))
        case .data(let byte):
            if !isSkippingLine { pending.append(byte) }
            checkLimit(body)
        }
        return true
    }

    private mutating func hold(_ bytes: Span<UInt8>, _ body: (borrowing Frame) -> Void) {
        guard !isSkippingLine else { return }
        let room = min(bytes.count, limit - pending.count)
        bytes.extracting(first: room).withUnsafeBufferPointer { pending.append(contentsOf: $0) }
        checkLimit(body)
    }

    /// Gives a line up as soon as its end cannot fit any more.
    private mutating func checkLimit(_ body: (borrowing Frame) -> Void) {
        guard pending.count >= limit else { return }
        isSkippingLine = true
        hasTold = true
        body(.tooLong(beginning: pending.span))
        pending = []
    }

    private mutating func endLine(terminator: Int, _ body: (borrowing Frame) -> Void) {
        lineCount &+= 1
        hasTold = !isSkippingLine
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

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == lineFeed || byte == carriageReturn || byte == TelnetCommand.introducer
    }
}
