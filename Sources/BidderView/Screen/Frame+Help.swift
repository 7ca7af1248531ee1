import Drawing

extension Frame {
    /// The keys and commands, in the place of the view.
    mutating func drawHelp(isPlaying: Bool) {
        let keys = isPlaying ? Self.playing : Self.watching
        // Without a blank row above and below where there is no room for them.
        let blank = size.rows >= keys.count + 4 ? 1 : 0
        for (index, line) in keys.enumerated() {
            write(line.key, row: 1 + blank + index, column: 1, style: .heading)
            write(line.meaning, row: 1 + blank + index, column: 15)
        }
        write("any key: back", row: 1 + keys.count + blank * 2, column: 1, style: .faint)
    }

    private static let playing = [
        (key: "120, bid 120", meaning: "bid this amount"),
        (key: "Up", meaning: "least bid, older lines"),
        (key: "Tab", meaning: "complete a command"),
        (key: "laps, who", meaning: "load these again"),
        (key: "status", meaning: "hear how it stands"),
        (key: "ping", meaning: "is the server there?"),
        (key: "auctioneer", meaning: "its TOKEN, then pause ..."),
        (key: "quit, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "pause, fg to go on"),
    ]

    private static let watching = [
        (key: "q, Ctrl-C", meaning: "leave"),
        (key: "Ctrl-L", meaning: "draw the screen anew"),
        (key: "Ctrl-Z", meaning: "pause, fg to go on"),
    ]
}
