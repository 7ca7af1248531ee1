import Drawing

extension Frame {
    private static let keyColumns = 13

    /// Draws a page of the keys and the legend.
    mutating func drawHelp(_ page: Int?, isPlaying: Bool, in panel: Panel) {
        guard let page, !panel.body.isEmpty else { return }
        let pages = Help(isPlaying: isPlaying).pages(in: panel)
        let number = min(page, pages.count - 1)
        let count = pages.count > 1 ? " \(number + 1) of \(pages.count)" : ""
        writeTitle("help\(count), Esc: back", in: panel)
        let width = Help.width(of: panel)
        for (index, column) in pages[number].enumerated() {
            for (row, line) in column.enumerated() {
                let place = (row: panel.body.row + row, column: panel.body.column + index * width)
                write(line.key, row: place.row, column: place.column, style: line.style)
                write(
                    line.meaning.fitted(to: width - Self.keyColumns - 1), row: place.row,
                    column: place.column + Self.keyColumns)
            }
        }
    }
}

/// The keys and commands, and the meaning of the signs and colours.
struct Help {
    /// A key or a sign, and its meaning.
    struct Line {
        let key: String
        let meaning: String
        let style: Style

        init(_ key: String, _ meaning: String, _ style: Style = .heading) {
            (self.key, self.meaning, self.style) = (key, meaning, style)
        }
    }

    private static let minimumColumns = 34

    private let lines: [Line]

    init(isPlaying: Bool) {
        lines = (isPlaying ? Self.playing : Self.watching) + Self.both + Self.legend
    }

    /// The width of a column of help in a panel.
    static func width(of panel: Panel) -> Int {
        panel.body.columns / max(1, panel.body.columns / minimumColumns)
    }

    /// The lines by page and column; at least one page.
    func pages(in panel: Panel) -> [[[Line]]] {
        let rows = max(1, panel.body.rows)
        let columns = max(1, panel.body.columns / Self.width(of: panel))
        let filled = stride(from: 0, to: lines.count, by: rows).map {
            Array(lines[$0..<min(lines.count, $0 + rows)])
        }
        return stride(from: 0, to: filled.count, by: columns).map {
            Array(filled[$0..<min(filled.count, $0 + columns)])
        }
    }

    private static let playing = [
        Line("120, bid 120", "bid this amount"),
        Line("max 200, buy", "bids for you, buys now"),
        Line("take, Enter", "take it as it falls"),
        Line("Up, Down", "minimum, older lines"),
        Line("Tab", "complete a command"),
        Line("say hello", "say it to everybody"),
        Line("laps, who", "load these again"),
        Line("standings", "show them, Esc: back"),
        Line("rooms", "then join or open NAME"),
        Line("status, ping", "ask the server"),
        Line("auctioneer", "a TOKEN or KEY; pause.."),
        Line("PgUp, Home", "PgDn, End: scroll laps"),
        Line("Enter", "connect now, if lost"),
        Line("quit, Ctrl-C", "leave; your bid stays"),
    ]

    private static let watching = [
        Line("PgUp, PgDn", "scroll the laps"),
        Line("Up, Down", "scroll by one lap"),
        Line("Home, End", "newest, oldest lap"),
        Line("Enter", "connect now, if lost"),
        Line("q, Ctrl-C", "leave"),
    ]

    private static let both = [
        Line("Ctrl-L", "draw the screen again"),
        Line("Ctrl-Z", "suspend, fg continues"),
    ]

    private static let legend = [
        Line("⣀⡴⠚", "the price over time", .price),
        Line("▂▅█", "bids a second, over 5 s", .pace),
        Line("┊", "a bidder joined here", .faint),
        Line("···", "unknown, news was missed", .faint),
        Line("after", "time since the last bid", .faint),
        Line("•, green", "you, and your bids", .you),
        Line("magenta", "who leads, and the price", .leader),
        Line("red", "outbid, refused, lost", .danger),
        Line("cyan, yellow", "time left, ends soon"),
        Line("o =", "news: a lot opens, ends"),
        Line("* \"", "of the lot, said to all"),
        Line("! + ~", "auctioneer, people, link"),
    ]
}
