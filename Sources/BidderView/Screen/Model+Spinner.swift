extension Model {
    private static let pictures: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// The spinner as it looks now; a space while nothing is loaded.
    var spinnerPicture: Character {
        spinner.map { Self.pictures[$0 % Self.pictures.count] } ?? " "
    }
}

extension Loadable {
    /// What stands behind the heading of something loaded: the spinner, and what went wrong.
    func state(spinner: Character) -> String {
        (isLoading ? " \(spinner)" : "") + (lastError.map { "  ✗ not loaded: \($0)" } ?? "")
    }
}
