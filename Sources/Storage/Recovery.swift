/// What a journal had when it was opened.
public struct Recovery: Sendable {
    /// The unfinished end of a segment, which was cut off.
    public struct Cut: Sendable {
        /// The name of the file in its folder.
        public let file: String
        /// How many bytes were cut off.
        public let bytes: Int
        /// Whether that was the whole file, which begins anew.
        public let isWholeFile: Bool
    }

    /// The name of the newest segment.
    package let file: String
    /// Its size in bytes.
    public let segmentBytes: Int
    /// The number of its lines, with the header.
    package let lines: Int
    /// The number of its events.
    public let events: Int
    /// The number of the next event.
    public let nextEvent: Int
    /// The unfinished end, if there was one.
    public let cut: Cut?
    /// Whether the folder had no journal, or only a part of its first line.
    package let isNew: Bool
}

/// What a journal had when it was verified.
public struct Report: Equatable, Sendable, CustomStringConvertible {
    /// The number of segments.
    public let segments: Int
    /// The number of the first event that they may have.
    public let firstEvent: Int
    /// The number of the last event; one less than the first if there is none.
    public let lastEvent: Int
    /// The number of whole lines in the newest segment, with its header.
    public let wholeLines: Int
    /// The bytes of an unfinished write at the end of the newest.
    public let tornBytes: Int

    /// A summary, such as `events 1 to 812 in 1 segment`.
    public var description: String {
        let files = segments == 1 ? "1 segment" : "\(segments) segments"
        let torn = tornBytes == 0 ? "" : ", and \(tornBytes) bytes of an unfinished write"
        return "events \(firstEvent) to \(lastEvent) in \(files)\(torn)"
    }
}
