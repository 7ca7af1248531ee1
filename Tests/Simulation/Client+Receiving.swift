import Auction
import Wire

// Checks of what a client receives.
extension Client {
    /// Receives a line: it must be the next that was sent, and news the next in the journal.
    func receive(_ words: String, on connection: Connection) {
        let oracle = world.oracle
        oracle.received += 1
        guard let line = connection.nextLine(),
            line.payload.elementsEqual(words.utf8)
        else { return oracle.report(.order, "\(name) receives \(words), which was not sent next") }
        guard let message = ServerMessage(text: words) ?? ServerMessage(json: words) else {
            return oracle.report(.order, "\(name) cannot read \(words)")
        }
        world.trace("    \(name) receives \(words)")
        if case .ok(.opened(let room, let key), _) = message { noteKey(key, of: room) }
        oracle.checkSecrecy(
            words, to: namesHeld.union([name]), sent: amounts.sent, keys: keysSeen)
        switch line.kind {
        case .news(let seq, let room):
            checkFrame(words, seq, room)
            receiveNews(message, seq, of: room, words)
        case .missed(let seq): receiveMissed(message, seq, words, on: connection)
        case .hello(let after, let room): enter(room, after: after, message, on: connection)
        case .skipped(let ofRoom):
            lastNews = lastNews.map { $0 + ofRoom }
            awaitsSkip = false
            oracle.count(socket == nil ? .skipped : .skippedFrames)
        case .reply: receiveReply(message, on: connection)
        case .telnet: break
        }
        learn(message)
    }

    /// Is greeted in a room: news of the room before does not follow, and none of the new one comes
    /// before the answer that it is there.
    private func enter(
        _ room: RoomReferee?, after number: Int, _ message: ServerMessage, on connection: Connection
    ) {
        if let room { world.oracle.checkGreeting(message, in: room) }
        if self.room == nil {
            if connection.socketRoom != nil { world.oracle.count(.openedInRoom) }
            if room?.name != connection.socketRoom ?? .main {
                world.oracle.report(.oneRoom, "\(name) begins in \(room?.name ?? .main)")
            }
        }
        // A class moves its members without an answer.
        awaitsEntry = self.room != nil && !(self.room?.isOfClass == true && room?.isOfClass == true)
        (self.room, lastNews) = (room, number)
    }

    private func receiveNews(
        _ message: ServerMessage, _ seq: Int, of room: RoomReferee, _ words: String
    ) {
        guard room === self.room, !awaitsEntry else {
            let place = self.room?.name.description ?? "no room"
            return world.oracle.report(
                .order, "\(name) in \(place) receives \(seq) of \(room.name)")
        }
        checkNews(message, seq, words)
        guard let lastNews, seq == lastNews + 1, !awaitsSkip else {
            return world.oracle.report(.order, "\(name) receives \(seq) after \(lastNews ?? 0)")
        }
        self.lastNews = seq
        noteNews(seq)
    }

    /// Requires that news is what the journal has under its number, in either format.
    private func checkNews(_ message: ServerMessage, _ seq: Int, _ words: String) {
        let oracle = world.oracle
        let news = room.flatMap { oracle.log.room($0.id) }?.news ?? []
        guard seq <= news.count, news[seq - 1] == message.words else {
            return oracle.report(.durable, "\(name) receives \(seq) \(message.words)")
        }
        let isJSON = words.hasPrefix("{")
        if isJSON, !words.hasPrefix("{\"seq\":\(seq),") {
            oracle.report(.formats, "\(name) receives event \(seq) as \(words)")
        }
        oracle.count(socket != nil ? .newsInFrames : isJSON ? .newsInJSON : .newsInText)
    }

    /// Requires that news on a WebSocket is the same as on a connection that chose JSON.
    private func checkFrame(_ words: String, _ seq: Int, _ room: RoomReferee) {
        guard socket != nil, words != room.newsInJSON[seq] else { return }
        let others = room.newsInJSON[seq] ?? "nothing"
        world.oracle.report(.webSocket, "\(name) receives \(words), and others \(others)")
    }

    private func receiveMissed(
        _ message: ServerMessage, _ seq: Int, _ words: String, on connection: Connection
    ) {
        checkNews(message, seq, words)
        guard case .resume(let after)? = connection.pending.first?.kind,
            connection.noteListed() == seq - after
        else { return world.oracle.report(.resumes, "\(name) receives \(seq) \(words)") }
        noteNews(seq)
    }

    private func receiveReply(_ message: ServerMessage, on connection: Connection) {
        guard !connection.isTurnedAway else { return receiveRefusal(message) }
        if case .result = message { checkResult(message, on: connection) }
        if case .room(let row) = message { connection.noteListed(row.name) }
        guard message.isAnswer else { return }
        guard let command = connection.settleNext() else {
            return world.oracle.report(.answers, "\(name) asked nothing: \(message.words)")
        }
        settle(command, by: message)
    }

    /// A connection without a place receives that, or that nothing is durable, and `BYE`.
    private func receiveRefusal(_ message: ServerMessage) {
        switch message {
        case .error(let fault, nil) where fault.code == .full || fault.code == .unavailable: break
        case .bye(let reason) where reason == .full || reason == .journal: break
        default:
            world.oracle.report(.answers, "\(name) has no place: \(message.words)")
        }
    }

    private func checkResult(_ message: ServerMessage, on connection: Connection) {
        guard let room, case .results? = connection.pending.first?.kind else {
            return world.oracle.report(.answers, "\(name) did not ask: \(message.words)")
        }
        let (number, record) = (connection.noteListed(), room.decided)
        guard record.hasResult(message, ofLot: number) else {
            return world.oracle.report(.results, "\(message.words) is not that of lot \(number)")
        }
        let firstKept = world.oracle.log.room(room.id)?.firstKept ?? 1
        if let end = record.lots[number - 1].ended, end < firstKept {
            world.oracle.count(.earlierResults)
        }
    }
}
