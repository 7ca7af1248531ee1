import Drawing

extension Frame {
    /// The keys and commands, in the place of the view.
    mutating func drawHelp(isPlaying: Bool) {
        let keys = isPlaying ? Self.playing : Self.watching
        for (index, line) in keys.enumerated() {
            write(line.key, row: index + 1, column: 1, style: .heading)
            write(line.meaning, row: index + 1, column: 15)
        }
        write("any key: back", row: keys.count + 1, column: 1, style: .faint)
    }

    private static let playing = [
        (key: "120, bid 120", meaning: "bid this amount"),
        (key: "Up", meaning: "the least bid, then history"),
        (key: "Tab", meaning: "complete a command"),
        (key: "laps, who", meaning: "load these again"),
        (key: "status", meaning: "hear how it stands"),
        (key: "ping", meaning: "is the server there?"),
        (key: "quit, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "stop; fg goes on"),
    ]

    private static let watching = [
        (key: "q, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "stop; fg goes on"),
    ]
}
