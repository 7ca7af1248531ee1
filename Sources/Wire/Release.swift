/// This release of the project.
public enum Release {
    /// The version of all programs.
    public static let version = "0.1.0"
}
