import Auction
import Basics
import Wire

/// The rights of auctioneers, and the effects of their commands.
struct Auctioneer {
    /// The token that makes a client the auctioneer; nil if nobody can be the auctioneer.
    var token: AuctioneerToken?
    /// Whether the token is accepted on the Unix socket alone.
    var isLocal = false

    /// What a command causes.
    enum Decision {
        /// It is refused.
        case refuse(ErrorReply)
        /// It is accepted, and nothing changes.
        case nothing
        /// An event is committed, and what follows from it.
        case commitAndSettle(SaleEvent)
        /// An event is committed, from which nothing follows.
        case commit(SaleEvent)
        case add(LotPlan)
        case title(Lot)
        case set(RoomOptions)
        case start
        case rematch
        case kick(Bidder, reason: String)
        case end(RoomID)
        case stop
    }

    /// Whether a token is right, from a client at this address.
    func accepts(_ word: String, from address: PeerAddress) -> Bool {
        token?.isSpelled(word) == true && (!isLocal || address == .local)
    }

    /// Returns the rights of a connection that has sent the server's token or the key of its room.
    ///
    /// Nil if it has sent another word, which is refused.
    func appoint(
        _ sender: Sender, token word: String, of room: borrowing Room, _ turn: inout Turn
    ) -> Session.Rights? {
        let rights: Session.Rights
        // Nobody but the teacher orders in a class, also not who had opened a room of that name.
        if !room.isLed, room.opening?.keyHash.isSpelled(word) == true {
            rights = sender.rights == .server ? .server : .room
        } else if isLocal, sender.address != .local, room.opening == nil {
            turn.refuse(.auctioneerElsewhere, to: sender)
            return nil
        } else if accepts(word, from: sender.address) {
            rights = .server
        } else {
            turn.refuseToken(.wrongAuctioneerToken, to: sender)
            return nil
        }
        turn.rates.acceptToken(from: sender.id)
        turn.note(.appointed, of: sender, in: room.name)
        turn.accept(.auctioneer, to: sender)
        return rights
    }

    /// Decides a command that only the auctioneer may send.
    func decide(
        _ command: AuctioneerCommand, by sender: Sender, in rooms: inout Rooms, _ turn: inout Turn
    ) -> Decision {
        switch (sender.rights, command) {
        case (.none, _): .refuse(rooms[sender.room].isLed ? .notTeacher : .notAuctioneer)
        case (.room, .stop): .refuse(.notServerAuctioneer)
        case (.room, .end(let name)) where name != rooms[sender.room].name: .refuse(.otherRoom)
        case (.room, _), (.server, _): decide(command, in: sender.room, of: &rooms, &turn)
        }
    }

    private func decide(
        _ command: AuctioneerCommand, in room: RoomID, of rooms: inout Rooms, _ turn: inout Turn
    ) -> Decision {
        switch command {
        case .pause where rooms[room].sale.isWaiting: return .refuse(.notBegun)
        case .resume where rooms[room].sale.isWaiting: return .refuse(.notBegun)
        case .pause: return decideByRules(.pause, in: &rooms[room], &turn)
        case .resume: return decideByRules(.resume, in: &rooms[room], &turn)
        case .hammer: return decideByRules(.hammer, in: &rooms[room], &turn)
        case .void: return decideByRules(.void, in: &rooms[room], &turn)
        case .close: return decideByRules(.close, in: &rooms[room], &turn)
        case .kick(let bidder, let reason):
            guard let account = rooms[room].sale.names[bidder] else {
                return .refuse(.notHere(bidder))
            }
            return .kick(account.bidder, reason: reason)
        case .mute(let bidder):
            guard let account = rooms[room].sale.names[bidder] else {
                return .refuse(.notHere(bidder))
            }
            guard !rooms[room].sale.muted.contains(bidder) else { return .nothing }
            guard rooms[room].sale.mayMuteMore else { return .refuse(.tooManyMuted) }
            return .commit(.bidderMuted(account.bidder))
        case .unmute(let bidder):
            let isMuted = rooms[room].sale.muted.contains(bidder)
            return isMuted ? .commit(.bidderUnmuted(bidder)) : .nothing
        case .add(let plan): return rooms[room].refusal(of: plan).map { .refuse($0) } ?? .add(plan)
        case .title(let lot):
            return rooms[room].hasLotToCome(lot.number) ? .title(lot) : .refuse(.noLotToCome)
        case .set(let changes):
            guard rooms[room].sale.isWaiting else { return .refuse(.notWaiting) }
            do throws(OptionProblem) {
                return .set(try rooms[room].options(after: changes))
            } catch {
                return .refuse(.badOption(error.description))
            }
        case .skip, .classStatus: return .refuse(.noClass)
        case .start: return rooms[room].sale.isWaiting ? .start : .refuse(.notWaiting)
        case .rematch: return rooms[room].mayBeginRematch ? .rematch : .refuse(.notOver)
        case .end(let name): return rooms.id(of: name).map { .end($0) } ?? .refuse(.noRoom)
        case .stop: return .stop
        }
    }

    private func decideByRules(
        _ command: Auction.Command, in room: inout Room, _ turn: inout Turn
    ) -> Decision {
        do throws(Auction.Refusal) {
            return try room.decide(command, &turn).map { .commitAndSettle($0) } ?? .nothing
        } catch {
            if case .wrongFormat = error { return .refuse(.sealed) }
            return .refuse(ErrorReply(error, isOver: room.sale.isOver))
        }
    }
}

extension ErrorReply {
    /// The reply to a command that the rules refuse.
    init(_ refusal: Auction.Refusal, isOver: Bool) {
        self =
            switch refusal {
            case .closed: isOver ? .over : .closed
            case .otherLot(let open): .otherLot(open: open)
            case .paused: .paused
            case .leading(let price): .leading(at: price)
            case .belowMinimum(let minimum): .tooLow(minimum: minimum)
            case .aboveMaximum(let maximum): .tooHigh(maximum: maximum)
            case .outbid(let minimum): .outbid(minimum: minimum)
            case .wrongFormat(let format): .wrongFormat(format)
            case .noBuyPrice: .noBuyPrice
            case .overPurse(let left): .overPurse(left: left)
            case .noBids: .noBids
            case .lastKnown: .lastKnown
            case .notDue: preconditionFailure("only time can be too early")
            }
    }
}

/// The secret that proves the auctioneer: one word of visible ASCII characters.
public struct AuctioneerToken: Sendable {
    /// The allowed lengths; 32 hexadecimal digits are 128 bits.
    public static let lengths = 32...256

    /// The characters, and zeros after them up to the greatest length.
    private let padded: [UInt8]
    private let length: Int

    /// Creates a token; nil if the word is too short or too long, or has other characters.
    public init?(_ word: String) {
        guard Self.lengths.contains(word.utf8.count),
            word.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.init(padding: word)
    }

    private init(padding word: String) {
        length = word.utf8.count
        let beginning = word.utf8.prefix(Self.lengths.upperBound)
        padded =
            beginning + [UInt8](repeating: 0, count: Self.lengths.upperBound - beginning.count)
    }

    /// Whether a word is the token, compared in constant time.
    ///
    /// The time depends neither on where they differ nor on the length of the token.
    func isSpelled(_ word: String) -> Bool {
        self == AuctioneerToken(padding: word)
    }
}

extension AuctioneerToken: Equatable {
    /// Whether both are equal, in a time that does not depend on where they differ.
    public static func == (one: AuctioneerToken, other: AuctioneerToken) -> Bool {
        var difference = one.length ^ other.length
        for index in 0..<lengths.upperBound {
            difference |= Int(one.padded[index] ^ other.padded[index])
        }
        return difference == 0
    }
}
