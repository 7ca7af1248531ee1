import Auction
import Drawing

extension Frame {
    /// Draws the rooms of the server; the one that the user is in is always among them.
    mutating func drawRooms(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        let rows = fit(model.rooms, in: panel) { $0.name == model.room }
        let count = Int64(model.rooms.count)
        let end = writeTitle(count == 1 ? "1 room" : "\(count.grouped) rooms", in: panel)
        writeTitleEnd("join NAME or open NAME", in: panel, after: end)
        let columns = RoomColumns(rows, columns: panel.body.columns)
        for (index, row) in rows.enumerated() {
            writeLine(
                columns.line(row), index, style: row.name == model.room ? .you : .plain,
                in: panel.body)
        }
    }
}

/// The columns of the list of rooms, as wide as their rows need.
private struct RoomColumns {
    private let all: Int
    private let name: Int
    private let people: Int
    private let lot: Int

    init(_ rows: [RoomRow], columns: Int) {
        all = columns
        // The names have a third at most, so that the titles have a place too.
        name = min(rows.map { "\($0.name)".columns }.max() ?? 0, max(columns / 3, 1))
        people = rows.map { Int64($0.people).grouped.columns }.max() ?? 0
        lot = rows.map { Self.lot(of: $0).columns }.max() ?? 0
    }

    /// One line of the list, in which the title of the lot has what is left.
    func line(_ row: RoomRow) -> String {
        let words = [
            "\(row.name)".elided(to: name).padded(to: name),
            Int64(row.people).grouped.leftPadded(to: people) + " here",
            Self.lot(of: row).padded(to: lot),
            row.title,
        ]
        return words.joined(separator: "  ").fitted(to: all)
    }

    private static func lot(of row: RoomRow) -> String { "lot \(row.lot), \(row.format.rawValue)" }
}
