import Posix

extension ProcessFigures {
    /// The figures of the server's process as they are now; nil where it was not told.
    ///
    /// - Throws: `Failure.noProcess`.
    static func now(of server: Int32?) throws(Failure) -> ProcessFigures? {
        guard let server else { return nil }
        do {
            return try ProcessFigures(of: server)
        } catch {
            throw .noProcess(server)
        }
    }
}
