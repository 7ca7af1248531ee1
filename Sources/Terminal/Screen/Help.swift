import Auction
import Bidder

extension Frame {
    /// Draws a page of the keys, the legend and the formats.
    mutating func drawHelp(_ page: Int?, isPlaying: Bool, in panel: Panel) {
        guard let page, !panel.body.isEmpty else { return }
        let help = Help(isPlaying: isPlaying, width: panel.body.columns)
        let pages = help.pages(of: panel.body.rows)
        let number = min(page, pages.count - 1)
        let count = pages.count > 1 ? " \(number + 1) of \(pages.count)" : ""
        writeTitle("help\(count), Esc: back", in: panel)
        for (index, column) in pages[number].enumerated() {
            for (row, line) in column.enumerated() {
                let start = index * help.columnWidth
                write(line.key, row, in: panel.body, from: start, style: line.style)
                write(line.meaning, row, in: panel.body, from: start + Help.keyColumns)
            }
        }
    }
}

/// The keys and commands, the meaning of the signs and colours, and the rules of the formats.
struct Help {
    /// A key or a sign, and its meaning; without a key the rest of the meaning before.
    struct Line {
        let key: String
        let meaning: String
        let style: Style

        init(_ key: String, _ meaning: String, _ style: Style = .heading) {
            (self.key, self.meaning, self.style) = (key, meaning, style)
        }

        /// The line, and if its meaning does not fit, lines with the rest.
        fileprivate func wrapped(to columns: Int) -> [Line] {
            meaning.wrapped(to: columns, lines: .max).enumerated().map { row, text in
                Line(row == 0 ? key : "", text, style)
            }
        }
    }

    static let keyColumns = 13
    private static let minimumColumns = 34

    /// The width of a column.
    let columnWidth: Int
    private let columns: Int
    /// The lines that belong together.
    private let blocks: [[Line]]

    /// Makes the help in columns that together have a width.
    init(isPlaying: Bool, width: Int) {
        columns = max(1, width / Self.minimumColumns)
        columnWidth = width / columns
        let room = columnWidth - Self.keyColumns - 1
        let formats = AuctionFormat.allCases.map { [Line($0.rawValue, $0.rule)] }
        blocks = ([(isPlaying ? Self.playing : Self.watching) + Self.both, Self.legend] + formats)
            .map { block in block.flatMap { $0.wrapped(to: room) } }
    }

    /// The lines by page and column of a number of rows; at least one page.
    ///
    /// A block that fits into a column is not divided; a higher one begins a page.
    func pages(of rows: Int) -> [[[Line]]] {
        let rows = max(1, rows)
        var filled: [[Line]] = []
        for block in blocks {
            if block.count <= rows, let last = filled.last, last.count + block.count <= rows {
                filled[filled.count - 1] += block
                continue
            }
            // Columns of one height if all of the block fits on a page.
            let isHigh = block.count > rows
            let height = block.count > rows * columns ? rows : (block.count - 1) / columns + 1
            while isHigh, !filled.count.isMultiple(of: columns) { filled.append([]) }
            var rest = block[...]
            while !rest.isEmpty {
                filled.append(Array(rest.prefix(isHigh ? height : rows)))
                rest = rest.dropFirst(isHigh ? height : rows)
            }
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
        Line("say hello", "to all; react 👏"),
        Line("display Zoë", "how people call you"),
        Line("laps, who", "load these again"),
        Line("standings", "or results, Esc: back"),
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
        Line("o =", "a lot opens, or ends"),
        Line("* \"", "about the lot, a message"),
        Line("+ -", "a bidder comes, or goes"),
        Line("! ~", "auctioneer, connection"),
    ]
}
