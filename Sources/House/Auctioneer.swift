import Auction
import Basics
import Wire

/// The rights of auctioneers, and the effects of their commands.
struct Auctioneer {
    /// The token that makes a client the auctioneer; nil if nobody can be the auctioneer.
    var token: AuctioneerToken?
    /// Whether the token is accepted on the Unix socket alone.
    var isLocal = false

    /// What remains to be done for a command.
    enum Outcome {
        /// Nothing.
        case answered
        /// A bidder must be removed from the sale.
        case kick(Bidder, reason: String)
        /// A room must be ended.
        case end(RoomID)
        /// The server must be stopped.
        case stop
    }

    /// Whether a token is right, from a client at this address.
    func accepts(_ word: String, from address: PeerAddress) -> Bool {
        token?.isSpelled(word) == true && (!isLocal || address == .local)
    }

    /// Makes a connection an auctioneer if it has sent the server's token or the key of its room.
    ///
    /// True if it must be closed.
    func appoint(
        _ id: SessionID, _ session: inout Session, token word: String, tag: String?,
        of room: Room, _ rates: inout RateLimits, at now: Instant,
        _ outputs: inout Outputs
    ) -> Bool {
        if room.opening?.key.isSpelled(word) == true {
            session.rights = session.rights == .server ? .server : .room
        } else if isLocal, session.address != .local, room.opening == nil {
            outputs.refuse(.auctioneerElsewhere, tag: tag, to: id)
            return false
        } else if accepts(word, from: session.address) {
            session.rights = .server
        } else {
            return rates.refuseToken(
                .wrongAuctioneerToken, from: id, at: session.address, tag: tag, now, &outputs)
        }
        rates.acceptToken(from: id)
        outputs.note(.appointed, of: id, session, in: room.name)
        outputs.reply(.ok(.auctioneer, tag: tag), to: id)
        return false
    }

    /// Executes a command that only the auctioneer may send, and answers it.
    func execute(
        _ command: AuctioneerCommand, tag: String?, of id: SessionID,
        _ session: borrowing Session, in live: inout LiveSale, among rooms: borrowing Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) -> Outcome {
        let decision: Decision =
            switch (session.rights, command) {
            case (.none, _): .refuse(.notAuctioneer)
            case (.room, .stop): .refuse(.notServerAuctioneer)
            case (.room, .end(let name)) where name != live.roomName: .refuse(.otherRoom)
            default: decide(command, in: &live, among: rooms, at: now, &outputs)
            }
        if case .refuse(let error) = decision {
            outputs.refuse(error, tag: tag, to: id)
            return .answered
        }
        outputs.note(.ordered(command.verb), of: id, copy session, in: live.roomName)
        outputs.reply(.ok(.ruled(command.verb), tag: tag), to: id)
        switch decision {
        case .refuse, .nothing: break
        case .record(let event): live.record(event, at: now, &outputs)
        case .commit(let event): live.commit(event, at: now, &outputs)
        case .add(let plan): live.add(plan, at: now, &outputs)
        case .kick(let bidder, let reason): return .kick(bidder, reason: reason)
        case .end(let room): return .end(room)
        case .stop: return .stop
        }
        return .answered
    }

    /// What a command of the auctioneer causes.
    private enum Decision {
        case refuse(ErrorReply)
        /// It is accepted, and nothing changes.
        case nothing
        case record(Auction.Event)
        case commit(SaleEvent)
        case add(LotPlan)
        case kick(Bidder, reason: String)
        case end(RoomID)
        case stop
    }

    private func decide(
        _ command: AuctioneerCommand, in live: inout LiveSale, among rooms: borrowing Rooms,
        at now: Instant, _ outputs: inout Outputs
    ) -> Decision {
        switch command {
        case .pause: return decideByRules(.pause, in: &live, at: now, &outputs)
        case .resume: return decideByRules(.resume, in: &live, at: now, &outputs)
        case .hammer: return decideByRules(.hammer, in: &live, at: now, &outputs)
        case .void: return decideByRules(.void, in: &live, at: now, &outputs)
        case .close: return decideByRules(.close, in: &live, at: now, &outputs)
        case .kick(let bidder, let reason):
            guard let account = live.sale.names[bidder] else { return .refuse(.notHere(bidder)) }
            return .kick(account.bidder, reason: reason)
        case .mute(let bidder):
            guard let account = live.sale.names[bidder] else { return .refuse(.notHere(bidder)) }
            guard !live.sale.muted.contains(bidder) else { return .nothing }
            guard live.sale.mayMuteMore else { return .refuse(.tooManyMuted) }
            return .commit(.bidderMuted(account.bidder))
        case .unmute(let bidder):
            return live.sale.muted.contains(bidder) ? .commit(.bidderUnmuted(bidder)) : .nothing
        case .add(let plan): return live.refusal(of: plan).map { .refuse($0) } ?? .add(plan)
        case .end(let name): return rooms.id(of: name).map { .end($0) } ?? .refuse(.noRoom)
        case .stop: return .stop
        }
    }

    private func decideByRules(
        _ command: Auction.Command, in live: inout LiveSale, at now: Instant,
        _ outputs: inout Outputs
    ) -> Decision {
        do throws(Auction.Refusal) {
            let event = try live.decide(command, at: now, &outputs)
            return event.map { .record($0) } ?? .nothing
        } catch {
            if case .wrongFormat = error { return .refuse(.sealed) }
            return .refuse(ErrorReply(error, isOver: live.isOver))
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
