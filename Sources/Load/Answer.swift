/// What an answer says, as far as it matters to the load.
public enum Answer: Equatable, Sendable {
    /// `OK`, or what stands for it.
    case ok
    /// `ERROR too-low`, or what stands for it.
    case tooLow
    /// `ERROR leading`.
    case leading
    /// `ERROR name-taken`.
    case nameTaken
    /// Any other error.
    case otherError
}
