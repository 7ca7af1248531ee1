import Auction
import Basics
import Wire

// What each command does.
extension CommandHandler {
    /// Lets the rules decide an offer in a room; the reply to its bidder precedes the news.
    mutating func offer(
        _ offer: Request.Offer, onLot lot: Int?, tag: String?, by bidder: Bidder?,
        on id: SessionID, in room: RoomID, as encoding: Encoding, at now: Instant,
        _ outputs: inout Outputs
    ) {
        rooms[room].offer(
            offer, onLot: lot, tag: tag, by: bidder, on: id, as: encoding, at: now, &outputs)
        rooms.touch(room)
    }

    /// Executes a request that is no offer, and answers it with exactly one `OK` or `ERROR`, now or
    /// later.
    mutating func execute(
        _ request: Request, of id: SessionID, _ session: inout Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let (tag, room) = (request.tag, session.room)
        rooms.touch(room)
        switch request.command {
        case .offer: preconditionFailure("`offer` executes it")
        case .say(let text):
            rooms[room].say(
                text, tag: tag, by: session.bidder, on: id, &chat, at: now, &outputs)
        case .name(let bidder, let token):
            return takeName(
                bidder, token: token, tag: tag, by: id, &session, &rates, at: now, &outputs)
        case .rooms: return answer(.rooms(after: nil, listed: 0), tag, to: id)
        case .join(let name):
            join(name, tag: tag, of: id, &session, &rates, at: now, &outputs)
        case .open(let name, let options):
            open(name, options, tag: tag, of: id, &session, &rates, at: now, &outputs)
        case .laps(let range): return answer(rooms[room].laps(range), tag, to: id)
        case .results(let range): return answer(rooms[room].results(range), tag, to: id)
        case .who: return answer(rooms[room].whoIsPresent, tag, to: id)
        case .standings: return answer(rooms[room].currentStandings(), tag, to: id)
        case .resume(let number):
            guard let news = rooms[room].news(after: number) else {
                outputs.refuse(.noSuchNews(newest: rooms[room].newestNews), tag: tag, to: id)
                return .answered
            }
            return answer(news, tag, to: id)
        case .status:
            let withRule = session.encoding == .text
            return answer(.status(session.bidder, withRule: withRule), tag, to: id)
        case .format(let format):
            return change(to: format, from: session.encoding, tag: tag, of: id, &outputs)
        case .ping: outputs.reply(.ok(.ping, tag: tag), to: id)
        case .help: return answer(rooms[room].help, tag, to: id)
        case .quit:
            outputs.reply(.ok(.quit, tag: tag), to: id)
            return .close(id, .quit)
        case .auctioneer(let token):
            let mustClose = auctioneer.appoint(
                id, &session, token: token, tag: tag, of: rooms[room], &rates, at: now, &outputs)
            if mustClose { return .close(id, .wrongToken) }
        case .rule(let command):
            return execute(command, tag: tag, of: id, session, &rates, at: now, &outputs)
        }
        return .answered
    }

    /// Whether a request has a right token.
    func proves(_ request: Request?, _ session: borrowing Session) -> Bool {
        switch request?.command {
        case .name(let bidder, let token?):
            rooms.owner(of: bidder)?.token.isSpelled(token) == true
        case .auctioneer(let token): auctioneer.accepts(token, from: session.address)
        default: false
        }
    }

    private mutating func takeName(
        _ bidder: Bidder, token: String?, tag: String?, by id: SessionID,
        _ session: inout Session, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Outcome {
        let outcome = accounts.take(
            bidder, token: token, tag: tag, by: id, &session, in: &rooms, &rates, at: now,
            &outputs)
        rooms[session.room].live.settle(at: now, &outputs)
        return switch outcome {
        case .answered: .answered
        case .replaced(let former): .replace(former)
        case .tooManyWrongTokens: .close(id, .wrongToken)
        }
    }

    // Rooms of a client

    /// Moves a connection to another room.
    private mutating func join(
        _ name: RoomName, tag: String?, of id: SessionID, _ session: inout Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) {
        guard let room = rooms.id(of: name) else {
            return outputs.refuse(.noRoom, tag: tag, to: id)
        }
        let answer = Answer.joined(name)
        guard room != session.room else { return outputs.reply(.ok(answer, tag: tag), to: id) }
        if let bidder = session.bidder,
            let error = accounts.refusal(
                of: bidder, session, entering: room, of: &rooms, &rates, at: now, &outputs)
        {
            return outputs.refuse(error, tag: tag, to: id)
        }
        move(to: room, answer, tag: tag, of: id, &session, at: now, &outputs)
    }

    /// Moves a connection from the news of its room to that of another.
    ///
    /// After the answer it receives nothing of the room that it left, and in the new one all news
    /// after the snapshot.
    private mutating func move(
        to room: RoomID, _ answer: Answer, tag: String?, of id: SessionID,
        _ session: inout Session, at now: Instant, _ outputs: inout Outputs
    ) {
        let former = session.room
        session.room = room
        if session.rights == .room { session.rights = .none }
        enter(room, on: id, as: session.encoding, at: now, &outputs)
        outputs.reply(.ok(answer, tag: tag), to: id)
        if let bidder = session.bidder {
            accounts.enter(room, bidder, on: id, of: &rooms, at: now, &outputs)
            accounts.announceArrival(of: bidder, on: id, in: room, of: &rooms, at: now, &outputs)
            rooms[room].live.settle(at: now, &outputs)
        }
        leave(former, as: session.encoding, at: now)
    }

    /// Opens a room for a connection, and moves it there.
    private mutating func open(
        _ name: RoomName, _ options: RoomOptions, tag: String?, of id: SessionID,
        _ session: inout Session, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) {
        guard rooms.id(of: name) == nil else {
            return outputs.refuse(.roomTaken, tag: tag, to: id)
        }
        let isOperator = session.rights == .server || session.address == .local
        if let error = factory.fullError(
            from: session.address, isOperator: isOperator, in: &rooms)
        {
            outputs.note(.rooms)
            return outputs.refuse(error, tag: tag, to: id)
        }
        let rules: Rules
        do throws(OptionProblem) {
            rules = try factory.rules(options)
        } catch {
            return outputs.refuse(.badOption(error.description), tag: tag, to: id)
        }
        if let bidder = session.bidder {
            let hasPlace = accounts.hasPlace(
                for: bidder, leaving: session.room, of: &rooms, &rates, at: now, &outputs)
            guard hasPlace else { return outputs.refuse(.namesFull, tag: tag, to: id) }
        }
        if factory.isFull(rooms), let left = rooms.leftLongest {
            end(left, &rates, at: now, &outputs)
        }
        let room = rooms.nextID
        outputs.note(.opened, of: id, session, in: name)
        let key = factory.open(
            name, rules, options, from: session.address, in: &rooms, at: now, &outputs)
        move(
            to: room, .opened(name, key: key.description), tag: tag, of: id, &session, at: now,
            &outputs)
    }

    /// Changes the format; the answer is still in the previous one.
    private func change(
        to format: Format, from current: Encoding, tag: String?, of id: SessionID,
        _ outputs: inout Outputs
    ) -> Outcome {
        guard let encoding = current.changed(to: format) else {
            let usage = "format json, because a WebSocket has no other format"
            outputs.refuse(ErrorReply(.badArguments(usage: usage)), tag: tag, to: id)
            return .answered
        }
        outputs.reply(.ok(.format(format), tag: tag), to: id)
        return .changeEncoding(encoding)
    }

    /// Executes a command of the auctioneer.
    private mutating func execute(
        _ command: AuctioneerCommand, tag: String?, of id: SessionID, _ session: Session,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let room = session.room
        let outcome = auctioneer.execute(
            command, tag: tag, of: id, session, in: &rooms[room].live, among: rooms, at: now,
            &outputs)
        switch outcome {
        case .answered: return .answered
        case .kick(let bidder, let reason):
            let holder = accounts.kick(
                bidder, from: room, reason: reason, in: &rooms, &rates, at: now, &outputs)
            rooms[room].live.settle(at: now, &outputs)
            return holder.map { .close($0, .kicked) } ?? .answered
        case .end(let ended):
            rooms[ended].closeLot(at: now, &outputs)
            return .end(ended)
        case .stop:
            for id in rooms.all { rooms[id].live.commit(.stopped, at: now, &outputs) }
            return .stop
        }
    }
}
