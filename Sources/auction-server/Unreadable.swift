import Storage

/// A folder without any event of a game.
struct NoGame: Error, CustomStringConvertible {
    let folder: String
    let report: Report

    var description: String {
        "there is no game in \(folder): \(reason); a server that is started there begins a new one"
    }

    private var reason: String {
        if report.segments == 0 { return "it holds no segment of a journal" }
        return report.tornBytes > 0 || report.wholeLines == 0
            ? "its only segment has no whole header"
            : "its only segment holds no event"
    }
}

/// A journal that cannot be gone on from, as its operator is told.
struct Unreadable: Error, CustomStringConvertible {
    let folder: String
    let error: JournalError

    var description: String {
        switch error {
        case .damage(let damage):
            "the journal in \(folder) is damaged: \(damage); nothing was changed, so put the file "
                + "back from a copy, or choose another --data DIR"
        case .system, .shortWrite: "cannot open the journal in \(folder): \(error)"
        }
    }
}
