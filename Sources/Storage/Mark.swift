/// What a line of a journal is.
public enum Mark: Equatable, Sendable {
    /// The event of that number, counted from 1.
    case event(Int)
    /// An older event told again, in the state at the beginning of a segment.
    case restated(Int)
    /// A line that is no event.
    case note
}
