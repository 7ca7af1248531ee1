import Auction
import House
import Wire

/// What a connection may order.
enum Right {
    /// It has proved the token of the server.
    case server
    /// It has proved the key of the room in which it is.
    case room
}

// Checks of names over all rooms, and of answers about rooms and rights.
extension Oracle {
    /// Requires that a name has one token in all rooms, and that its owner is present in one.
    func checkOwner(_ event: SaleEvent, in room: RoomReferee) {
        switch event {
        case .nameTaken(let bidder, let hash):
            for other in rooms(of: bidder) where other.names.tokenHash(of: bidder) != hash {
                report(.names, "\(bidder) is given away in \(room.name), owned in \(other.name)")
            }
            if owners.note(hash) { usage.created = bidder }
        case .bidderJoined(let bidder, _):
            if rooms(of: bidder).count > 1 { count(.nameInRooms) }
            for other in rooms(of: bidder)
            where other !== room && other.names.present.contains(bidder) {
                report(.names, "\(bidder) joins \(room.name), and is in \(other.name)")
            }
        default: break
        }
    }

    /// Requires after a step that each name has one connection, in the room that was told of it.
    func checkPresence() {
        for (id, bidder) in usage.bidders {
            guard let room = usage.rooms[id] else { continue }
            if !room.names.present.contains(bidder) {
                report(.names, "\(bidder) is in \(room.name), which was not told")
            }
        }
        if Set(usage.bidders.values).count < usage.bidders.count {
            report(.names, "a name has two connections: \(usage.bidders.values)")
        }
    }

    /// Requires that a greeting names the room, and the sale that no other room has.
    func checkGreeting(_ message: ServerMessage, in room: RoomReferee) {
        guard case .hello(_, _, _, room.name?, let sale, _) = message,
            (sale == nil) == (room.name == .main), room.sale == nil || room.sale == sale,
            sale == nil || !rooms.contains(where: { $0 !== room && $0.sale == sale })
        else { return report(.oneRoom, "\(message.words) in \(room.name)") }
        room.sale = sale
    }

    /// Requires that the answer to a command about names, rooms and rights is the right one.
    func check(
        _ answer: ServerMessage, to command: Command.Kind, of connection: Connection,
        in room: RoomReferee, at now: Duration
    ) {
        switch command {
        case .name(let bidder, let token):
            checkName(bidder, token, answer, of: connection, in: room)
        case .join(let name): checkJoin(name, answer, of: connection, in: room)
        case .open(let name, let options):
            checkOpening(name, options, answer, of: connection, in: room, at: now)
        case .auctioneer(let token): checkProof(token, answer, of: connection, in: room)
        case .ruling(let verb): checkRuling(verb, answer, of: connection)
        case .end(let name): checkEnding(name, answer, of: connection, in: room)
        default: break
        }
    }

    private func checkName(
        _ bidder: Bidder, _ token: String?, _ answer: ServerMessage, of connection: Connection,
        in room: RoomReferee
    ) {
        switch answer {
        case .ok(.name(let bidder, let given), _):
            usage.bidders[connection.id] = bidder
            for room in rooms(of: bidder)
            where room.names.tokenHash(of: bidder)?.isSpelled(given) != true {
                report(.names, "\(bidder) is given another token than in \(room.name)")
            }
            // The other connection of a name is closed next.
            for (id, other) in usage.bidders where other == bidder && id != connection.id {
                usage.bidders[id] = nil
            }
        case .error(let fault, _) where [.nameTaken, .wrongToken].contains(fault.code):
            let owners = rooms(of: bidder)
            if owners.isEmpty { report(.names, "\(bidder) is refused, and is free") }
            if let token,
                owners.contains(where: { $0.names.tokenHash(of: bidder)?.isSpelled(token) == true })
            {
                report(.names, "\(bidder) is refused to its owner")
            }
        case .error(let fault, _) where fault.code == .kicked: checkBar(bidder, in: room, fault)
        case .error(let fault, _) where fault.code == .wrongTime:
            checkStranger(bidder, in: room, connection, fault)
        default: break
        }
    }

    /// Requires that a bidder who is kept out of a room of the class is not of its group, or leads
    /// the class.
    private func checkStranger(
        _ bidder: Bidder?, in room: RoomReferee?, _ connection: Connection, _ fault: ErrorReply
    ) {
        if case .server? = usage.rights[connection.id], room?.isOfClass == true { return }
        count(.otherGroup)
        guard let bidder, let room, classroom?.admits(bidder, to: room.name) == false else {
            return report(.groups, "\(bidder?.description ?? "nobody") is kept out: \(fault)")
        }
    }

    /// Requires that a name which is barred from a room was kicked there.
    private func checkBar(_ bidder: Bidder?, in room: RoomReferee?, _ fault: ErrorReply) {
        guard let bidder, let room, room.everKicked.contains(bidder), terms.limits.kick > .zero
        else { return report(.spared, "\(bidder?.description ?? "nobody"): \(fault)") }
    }

    private func checkJoin(
        _ name: RoomName, _ answer: ServerMessage, of connection: Connection, in room: RoomReferee
    ) {
        switch answer {
        case .ok(.joined(let joined), _):
            count(.joinedRoom)
            if joined != name || room.name != name {
                report(.oneRoom, "\(connection.client.name) is in \(room.name), not in \(name)")
            }
        case .error(let fault, _) where fault.code == .noRoom:
            count(.noRoom)
            if self.room(named: name) != nil { report(.oneRoom, "there is a room \(name)") }
        case .error(let fault, _) where fault.code == .kicked:
            count(.barredInRoom)
            checkBar(usage.bidders[connection.id], in: self.room(named: name), fault)
        case .error(let fault, _) where fault.code == .slowDown: count(.movedTooOften)
        case .error(let fault, _) where fault.code == .wrongTime:
            checkStranger(
                usage.bidders[connection.id], in: self.room(named: name), connection, fault)
        case .error(let fault, _):
            report(.oneRoom, "\(connection.client.name) joins \(name): \(fault)")
        default: break
        }
    }

    private func checkOpening(
        _ name: RoomName, _ options: RoomOptions, _ answer: ServerMessage,
        of connection: Connection, in room: RoomReferee, at now: Duration
    ) {
        let isPossible = (try? options.rules(terms.rules)) != nil
        let isOperator = if case .server? = usage.rights[connection.id] { true } else { false }
        let most = isOperator ? Int.max : terms.limits.roomsPerAddress ?? .max
        switch answer {
        case .ok(.opened(let opened, let key), _):
            count(.openedRoom)
            usage.openers[room.id] = connection.network
            if openCount(from: connection) > most { report(.limited, "\(most) rooms") }
            if roomCount > terms.limits.rooms {
                count(.reservedRoom)
                // Somebody else may replace a room while the operator has one more.
                if !isOperator, !replacesRoom { report(.limited, "\(roomCount) rooms") }
            }
            if opened != name || room.name != name || room.keyHash?.isSpelled(key) != true {
                report(.oneRoom, "\(connection.client.name) is in \(room.name), opened \(name)")
            }
            if !isPossible || !room.options.agrees(with: options) {
                report(.oneRoom, "\(options.line) became \(room.options.line)")
            }
        case .error(let fault, _) where fault.code == .roomTaken:
            count(.roomTaken)
            if self.room(named: name) == nil { report(.oneRoom, "\(name) is taken by nobody") }
        case .error(.roomsFull, _):
            count(.roomsFull)
            if roomCount < terms.limits.rooms + (isOperator ? 1 : 0) {
                report(.spared, "\(roomCount) rooms are too many")
            }
            if let left = live.values.first(where: { $0.wasLeft(before: now) }) {
                report(.spared, "\(left.name) does not give way to \(name)")
            }
        case .error(.addressRoomsFull, _):
            count(.addressRoomsFull)
            if openCount(from: connection) < most {
                report(.spared, "\(connection.client.name) has opened too many rooms")
            }
        case .error(let fault, _) where fault.code == .badOption:
            count(.badRoomOptions)
            if isPossible { report(.spared, "\(options.line): \(fault)") }
        case .error(let fault, _):
            report(.spared, "\(connection.client.name) opens \(name): \(fault)")
        default: break
        }
    }

    /// The number of live rooms that were opened from the network of a connection, since the server
    /// started.
    private func openCount(from connection: Connection) -> Int {
        let network = connection.network
        return rooms.count { !$0.hasEnded && usage.openers[$0.id] == network }
    }

    private func checkProof(
        _ token: String, _ answer: ServerMessage, of connection: Connection, in room: RoomReferee
    ) {
        let isOfServer = token == Client.auctioneerToken
        let isRight = isOfServer || token == room.key
        switch answer {
        case .ok:
            if !isRight { report(.rulings, "\(connection.client.name) proves \(token)") }
            if case .server? = usage.rights[connection.id] { break }
            usage.rights[connection.id] = isOfServer ? .server : .room
            if !isOfServer { count(.roomKey) }
        case .error(let fault, _) where fault.code == .wrongTime:
            if !room.isOfClass || usage.bidders[connection.id] == nil {
                report(.rulings, "\(connection.client.name): \(fault)")
            }
        case .error(let fault, _):
            if rooms.contains(where: { !$0.hasEnded && $0.key == token }) { count(.otherKey) }
            if isRight {
                report(.opens, "\(connection.client.name) is refused: \(fault.code.rawValue)")
            }
        default: break
        }
    }

    /// Requires that a room is ended by an auctioneer of the server or of the room alone.
    private func checkEnding(
        _ name: RoomName, _ answer: ServerMessage, of connection: Connection,
        in room: RoomReferee
    ) {
        let mayEnd =
            switch usage.rights[connection.id] {
            case .server?: true
            case .room?: room.name == name
            case nil: false
            }
        switch answer {
        case .ok:
            guard mayEnd, let ended = self.room(named: name) else {
                return report(.rulings, "\(connection.client.name) ended \(name)")
            }
            ended.isOrderedToEnd = true
        case .error(let fault, _) where fault.code == .noRoom:
            if !mayEnd || self.room(named: name) != nil {
                report(.rulings, "\(connection.client.name) ends \(name): \(fault)")
            }
        case .error(let fault, _) where fault.code == .wrongTime && mayEnd:
            if self.room(named: name)?.isOfClass != true { report(.rulings, "\(name): \(fault)") }
        case .error(let fault, _):
            if case .room? = usage.rights[connection.id] { count(.endedOtherRoom) }
            if mayEnd || fault.code != .notAuctioneer {
                report(.rulings, "\(connection.client.name) ends \(name): \(fault)")
            }
        default: break
        }
    }

    private func checkRuling(
        _ verb: AuctioneerCommand.Verb, _ answer: ServerMessage, of connection: Connection
    ) {
        let mayRule =
            switch usage.rights[connection.id] {
            case .server?: true
            case .room?: verb != .stop
            case nil: false
            }
        switch answer {
        case .ok: if !mayRule { report(.rulings, "\(connection.client.name) ordered \(verb)") }
        case .error(let fault, _):
            if case .room? = usage.rights[connection.id], verb == .stop { count(.stopByKey) }
            if mayRule == (fault.code == .notAuctioneer) {
                report(.rulings, "\(connection.client.name) ordered \(verb): \(fault)")
            }
        default: break
        }
    }
}

extension RoomOptions {
    /// Whether resolved options have everything that was asked for, and nothing that is secret or
    /// of a game beside that.
    fileprivate func agrees(with asked: RoomOptions) -> Bool {
        isResolved && lots == asked.lots && purse == asked.purse && values == asked.values
            && (asked.pause == nil || asked.pause == pause)
            && lot.reserve == asked.lot.reserve && lot.buy == asked.lot.buy
            && lot.longest == asked.lot.longest && lot.format == asked.lot.format ?? .english
            && (asked.lot.seconds == nil || asked.lot.seconds == lot.seconds)
            && (asked.lot.start == nil || asked.lot.start == lot.start)
            && (asked.lot.step == nil || asked.lot.step == lot.step)
    }
}
