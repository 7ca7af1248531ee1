/// What a line of a journal is.
public enum Mark: Equatable, Sendable {
    /// The event of that number, counted from 1.
    case event(Int)
    /// An older event told again, in the state at the beginning of a segment.
    case restated(Int)
    /// A line that is no event.
    case note
    /// The header of a segment, with the number of its first event and the number of its state
    /// lines.
    case segment(first: Int, state: Int)

    /// The number of the event that is told, or told again; nil for neither.
    public var number: Int? {
        switch self {
        case .event(let number), .restated(let number): number
        case .note, .segment: nil
        }
    }
}
