/// The bytes of a connection as far as they came to the server, and what it has handled of them.
struct ConnectionInput {
    /// What has arrived and was not read.
    private(set) var arrived: [UInt8] = []
    /// The number of bytes that the house was given, with those of the header.
    private(set) var handledCount = 0
    /// The bytes of the PROXY header that have not arrived.
    private var headerLeft: Int
    /// Where the messages end in what the client sends; nil if they end with LF.
    private var ends: [Int]?
    private var arrivedCount = 0
    /// When the first of the arrived bytes came.
    private var arrivedAt = Duration.zero
    private var unhandled = UnhandledBytes()
    /// Since when the line has been there of which no end has arrived; nil if the last one ended.
    private var lineSince: Duration?
    /// The beginning and the end of the lines that ended, as they arrived.
    private var lines: [(since: Duration, ended: Duration)] = []

    init(headerCount: Int, marksEnds: Bool) {
        headerLeft = headerCount
        ends = marksEnds ? [] : nil
    }

    /// Notes that a message ends after this number of bytes that the client sends.
    mutating func noteEnd(after count: Int) {
        ends?.append(count)
    }

    /// Adds bytes that have arrived.
    mutating func arrive(_ bytes: [UInt8], at now: Duration) {
        if arrived.isEmpty { arrivedAt = now }
        arrived += bytes
        arrivedCount += bytes.count
        unhandled.add(bytes.count, at: now)
        let rest = bytes.dropFirst(headerLeft)
        headerLeft -= bytes.count - rest.count
        if !rest.isEmpty { noteLines(rest, at: now) }
    }

    private mutating func noteLines(_ bytes: ArraySlice<UInt8>, at now: Duration) {
        guard let rest = countBehindLastEnd(bytes) else { return lineSince = lineSince ?? now }
        lines.append((lineSince ?? now, now))
        lineSince = rest == 0 ? nil : now
    }

    /// The number of the newest bytes that follow an end among them; nil if there is none.
    private func countBehindLastEnd(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let ends else {
            return bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes.endIndex - 1 - $0 }
        }
        let end = ends.last { $0 <= arrivedCount } ?? 0
        return end > arrivedCount - bytes.count ? arrivedCount - end : nil
    }

    /// Since when a line has been incomplete, as far as a server knows that handled everything that
    /// arrived up to an instant; nil if none was.
    func lineSince(handledUntil: Duration) -> Duration? {
        lines.first { $0.ended > handledUntil }?.since ?? lineSince
    }

    /// Whether something has arrived by an instant that was not read.
    func hasArrived(by instant: Duration) -> Bool { !arrived.isEmpty && arrivedAt <= instant }

    /// Returns and removes what has arrived.
    mutating func takeArrived() -> [UInt8] {
        defer { arrived = [] }
        return arrived
    }

    /// Notes that the house was given the next bytes.
    mutating func noteHandled(_ count: Int) {
        unhandled.remove(count)
        handledCount += count
    }

    /// Whether bytes that arrived between two instants are not handled.
    func isUnhandled(from start: Duration, before end: Duration) -> Bool {
        unhandled.contains(from: start, before: end)
    }
}
