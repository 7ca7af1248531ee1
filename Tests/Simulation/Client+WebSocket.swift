import Auction
import TestSupport
import Wire

// What a client does that speaks WebSocket, as the page in a browser does.
extension Client {
    /// Whether it speaks WebSocket on all its connections.
    var isVisitor: Bool { world.plan.terms.visitors.map { index % $0 == 0 } ?? false }

    /// Sends the handshake, sometimes straight into a room, and sometimes only a part of it: then
    /// the rest comes later.
    func openSocket(on connection: Connection, seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var socket = WebSocketEnd(seed: dice.next())
        if world.plan.terms.rooms != nil, dice.chance(in: 2) {
            connection.socketRoom = dice.pick(RoomTerms.names)
        }
        let request = socket.handshake(to: connection.socketRoom?.description)
        self.socket = socket
        guard dice.chance(in: 8), !world.isQuiet else { return connection.sendUnit(request) }
        let count = Int.random(in: 1..<request.count, using: &dice)
        connection.send(Array(request[..<count]))
        connection.holdBack()
        connection.sendUnit(Array(request[count...]))
        let time = world.now + .random(in: 0...40_000_000_000, using: &dice)
        world.at(time) { connection.goOn() }
    }

    /// Sends a message, sometimes in fragments.
    func sendMessage(_ text: [UInt8], on connection: Connection, using dice: inout SplitMix64) {
        let isSplit = dice.chance(in: 4)
        if isSplit { world.oracle.count(.fragments) }
        guard let bytes = socket?.message(text, isSplit: isSplit) else { return }
        connection.sendUnit(bytes)
    }

    /// Closes the WebSocket with a frame; false if the client speaks lines.
    func sendClose() -> Bool {
        guard let connection = connect(), let bytes = socket?.close() else { return false }
        world.trace("\(name) sends a close frame")
        connection.sendUnit(bytes)
        return true
    }

    /// Sends frames that are no command, right or wrong.
    func sendFrames(using dice: inout SplitMix64) {
        guard let connection = connect(), socket != nil else { return }
        switch Int.random(in: 0..<4, using: &dice) {
        case 0:
            world.trace("\(name) sends pings")
            for _ in 0..<Int.random(in: 1...12, using: &dice) {
                if let ping = socket?.ping() { connection.sendUnit(ping) }
            }
        case 1:
            world.trace("\(name) sends pongs")
            for _ in 0..<Int.random(in: 1...12, using: &dice) {
                if let pong = socket?.pong() { connection.sendUnit(pong) }
            }
        default:
            world.trace("\(name) sends a broken frame")
            if let fault = socket?.fault() { connection.sendUnit(fault) }
        }
    }

    func receive(_ item: WebSocketEnd.Item, on connection: Connection) {
        let oracle = world.oracle
        switch item {
        case .message(let words): receive(words, on: connection)
        case .response(let status):
            world.trace("    \(name) receives the status \(status)")
            oracle.count(status == 101 ? .opened : .otherRequest)
        case .refusal(let status):
            world.trace("    \(name) is refused with \(status)")
            if status == 400 { checkGreetingWasLost() }
            guard status == 404 else { return oracle.count(.refusedRequest) }
            checkNoRoom(for: connection)
            hangUp()
        case .pong: oracle.count(.pong)
        case .closing(let code):
            world.trace("    \(name) receives a close frame with \(code)")
            oracle.count(closing: code)
        case .lines:
            world.trace("    \(name) receives no response, and gives up")
            oracle.count(.greetedEarly)
            hangUp()
        case .wrong(let facts): oracle.report(.webSocket, "\(name) receives \(facts)")
        }
    }
}

extension Client {
    /// Requires that the journal failed, and so lost the lines before an HTTP response.
    ///
    /// A client whose request begins late is greeted with lines, and then refused its request.
    private func checkGreetingWasLost() {
        guard world.oracle.logFailedAt.map({ $0 < connectedAt }) ?? true else { return }
        world.oracle.report(.webSocket, "\(name) is refused with 400")
    }

    /// Requires that the room of a handshake was not there all the time.
    private func checkNoRoom(for connection: Connection) {
        world.oracle.count(.noRoomForSocket)
        let room = connection.socketRoom.flatMap { world.oracle.room(named: $0) }
        guard let room, room.openedAt < connectedAt else { return }
        world.oracle.report(.oneRoom, "\(name) is told that there is no room \(room.name)")
    }
}

extension Oracle {
    /// Counts a close frame by its code.
    fileprivate func count(closing code: Int) {
        switch code {
        case 1000: count(.closed1000)
        case 1001: count(.closed1001)
        case 1002: count(.closed1002)
        case 1003: count(.closed1003)
        case 1007: count(.closed1007)
        case 1008: count(.closed1008)
        case 1009: count(.closed1009)
        default: count(.closedOtherwise)
        }
    }
}
