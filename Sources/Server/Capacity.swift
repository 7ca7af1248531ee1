/// How many connections a server can have, by the files it may open.
package struct Capacity: Equatable {
    /// So many files are left for the journal, the loops and the terminal.
    private static let otherFiles = 64

    /// How many connections are let in.
    package let connections: Int
    /// How many more are let in for those who prove a token, and for the Unix socket.
    package let reserve: Int
    /// With so many open, those that were refused and have not gone yet among them, a newcomer is
    /// sent away on the spot.
    package let crowd: Int

    /// Reckons with a limit of open files, and with the connections and the reserve asked for; nil is
    /// as many as can be.
    ///
    /// All but 64 of the files may be connections, where there are 128 or more, and else half of
    /// them, an eighth of these at most in reserve; half as many as are left over then may be of
    /// those who have been refused.
    package init(files: Int, asked: Int?, reserve askedReserve: Int = 0) {
        let most = max(files - Self.otherFiles, files / 2, 1)
        reserve = min(askedReserve, most / 8)
        connections = min(asked ?? most, most - reserve)
        let leftOver = (files - most) / 2
        crowd = min(
            connections + reserve + connections / 4 + Self.otherFiles, most + leftOver)
    }
}
