/// What was found when a journal was opened.
public struct Recovery: Sendable {
    /// What a crash left unfinished and the opening took away.
    public struct Cut: Sendable {
        /// The name of the file in its folder.
        public let file: String
        /// How many bytes were at its end.
        public let bytes: Int
        /// Whether they were all of it, so that the file begins anew.
        public let isWholeFile: Bool
    }

    /// The name of the segment that goes on.
    package let file: String
    /// The bytes it holds.
    public let segmentBytes: Int
    /// The lines it holds, the header included.
    package let lines: Int
    /// The events it holds.
    public let events: Int
    /// The number that the next event has.
    public let nextEvent: Int
    /// The unfinished end, if there was one.
    public let cut: Cut?
    /// Whether the folder held no journal, or none that had got further than its first line.
    package let isNew: Bool
}

/// What was found when a journal was verified.
public struct Report: Equatable, Sendable, CustomStringConvertible {
    /// How many files there are.
    public let segments: Int
    /// The number of the first event they may hold.
    public let firstEvent: Int
    /// The number of the last event; one less than the first if there is none.
    public let lastEvent: Int
    /// The number of whole lines in the newest segment, with its header.
    public let wholeLines: Int
    /// The bytes at the end of the newest that a crash left unfinished.
    public let tornBytes: Int

    /// What is there, such as `events 1 to 812 in 1 segment`.
    public var description: String {
        let files = segments == 1 ? "1 segment" : "\(segments) segments"
        let torn = tornBytes == 0 ? "" : ", and \(tornBytes) bytes of an unfinished write"
        return "events \(firstEvent) to \(lastEvent) in \(files)\(torn)"
    }
}
