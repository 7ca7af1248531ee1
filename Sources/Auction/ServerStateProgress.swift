/// How much was read of the state of all rooms with which a segment begins.
struct ServerStateProgress {
    /// Whether the state must agree with the end of the segment before, which was read.
    let continues: Bool
    /// The lines of the room whose state is read.
    private(set) var roomLines = 0
    /// The room that was opened in the line before, whose state must follow.
    var opened: RoomName?
    private(set) var linesLeft: Int
    /// The most news that the rooms whose state was not read yet can have had.
    private var newsLeft: Int
    private var rooms: Set<RoomName> = []

    /// Begins a state of `lines` lines, before which the log has `news` public events.
    init(lines: Int = 0, news: Int = 0, continues: Bool = false) {
        (linesLeft, newsLeft, self.continues) = (lines, news, continues)
    }

    var isIncomplete: Bool { linesLeft > 0 }

    /// The number of rooms whose state was begun.
    var roomCount: Int { rooms.count }

    mutating func countLine() {
        linesLeft -= 1
        roomLines = max(roomLines - 1, 0)
    }

    /// Begins the state of a room; false if it was begun before, or the numbers are impossible.
    mutating func begin(_ room: RoomName, news: Int, lines: Int) -> Bool {
        guard news > 0, news <= newsLeft, lines > 0, lines <= linesLeft,
            rooms.insert(room).inserted
        else { return false }
        newsLeft -= news
        (roomLines, opened) = (lines, nil)
        return true
    }
}
