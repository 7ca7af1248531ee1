import Auction
import Wire

/// The room that connections enter, the sale that is followed there, and the keys of own rooms.
struct RoomEntry {
    /// A greeting, as it was received.
    typealias Received = (message: ServerMessage, greeting: Greeting)

    /// The room that this connection and later ones enter.
    private(set) var room: RoomName
    /// The first greeting of a connection that passes through its room, until `join` is answered.
    private var passed: Received?
    /// The greeting of the sale whose news is followed.
    private var sale: Greeting?
    /// Why the room or the sale is another one than on the last connection.
    private var loss: String?
    /// The keys of the rooms that the user opened.
    private var keys: [RoomName: String] = [:]

    init(to room: RoomName) {
        self.room = room
    }

    /// Whether the connection is only passing through a room, of which nothing is shown.
    var isPassing: Bool { passed != nil }

    /// Begins to pass through the room of a first greeting; false if it is the room to be in.
    mutating func pass(_ received: Received) -> Bool {
        guard passed == nil, received.greeting.room != room else { return false }
        passed = received
        return true
    }

    /// Stays in the room of the first greeting; nil if no room was ever entered.
    mutating func stay(because error: ErrorReply) -> Received? {
        guard sale != nil, let passed else { return nil }
        let reason = error.code == .noRoom ? "has ended" : "cannot be joined: \(error.reason)"
        loss = "room \(room) \(reason); you are in \(passed.greeting.room), rooms lists all"
        return passed
    }

    /// Enters the room of a greeting, and returns whether it is that of the sale before.
    mutating func arrive(with greeting: Greeting) -> Bool {
        let former = sale
        (room, passed, sale) = (greeting.room, nil, greeting)
        guard let former else { return false }
        if former.serverID == greeting.serverID, former.room == greeting.room,
            former.sale != greeting.sale
        {
            loss = "room \(room) had ended and was opened again"
        }
        return greeting.serverID != nil && former.isOfSameSale(as: greeting)
    }

    /// Forgets a greeting of the connection, which has ended.
    mutating func disconnect() {
        passed = nil
    }

    /// Takes the reason, in plain words, why another room or sale is followed than before.
    mutating func takeLoss() -> String? { loss.take() }

    /// The key of the room; nil if the user did not open it.
    var key: String? { keys[room] }

    /// Stores the key of a room, or removes it if it is nil.
    mutating func keep(_ key: String?, of room: RoomName) {
        keys[room] = key
    }
}
