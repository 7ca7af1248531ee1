import Storage

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
