/// How many connections a server can have, by the files it may open.
package struct Capacity: Equatable {
    /// So many files are left for the journal, the loops and the terminal.
    private static let otherFiles = 64

    /// How many connections are let in.
    package let connections: Int
    /// How many more are let in that prove a token, or come from the Unix socket.
    package let reserve: Int
    /// With so many open, those that were refused and have not gone yet among them, a newcomer is
    /// sent away on the spot.
    package let crowd: Int

    /// Computes the capacity from the limit of open files and the connections and reserve asked
    /// for; nil means as many as possible.
    ///
    /// With 128 files or more, all but 64 may be connections, otherwise half of them. At most an
    /// eighth of these are the reserve. Refused connections may use half of the files that are
    /// left.
    package init(files: Int, asked: Int?, reserve askedReserve: Int = 0) {
        let most = max(files - Self.otherFiles, files / 2, 1)
        reserve = min(askedReserve, most / 8)
        connections = min(asked ?? most, most - reserve)
        let leftOver = (files - most) / 2
        crowd = min(
            connections + reserve + connections / 4 + Self.otherFiles, most + leftOver)
    }
}
