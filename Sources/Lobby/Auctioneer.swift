import Addresses
import AuctionRules
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
        /// A present bidder must be removed from the sale.
        case kick(Bidder, reason: String)
        /// The server must be stopped.
        case stop
    }

    /// Whether a token is right, from a client at this address.
    func accepts(_ word: String, from address: PeerAddress) -> Bool {
        token?.isSpelled(word) == true && (!isLocal || address == .local)
    }

    /// Makes a connection the auctioneer's if its token is right; true if it must be closed.
    func appoint(
        _ id: SessionID, _ session: inout Session, token word: String, tag: String?,
        _ rates: inout RateLimits, at now: Instant, _ outputs: inout Outputs
    ) -> Bool {
        guard !isLocal || session.address == .local else {
            outputs.refuse(.auctioneerElsewhere, tag: tag, to: id)
            return false
        }
        guard accepts(word, from: session.address) else {
            return rates.refuseToken(
                .wrongAuctioneerToken, from: id, at: session.address, tag: tag, now, &outputs)
        }
        session.isAuctioneer = true
        rates.acceptToken(from: id)
        outputs.note(.appointed, of: id, session)
        outputs.reply(.ok(.auctioneer, tag: tag), to: id)
        return false
    }

    /// Executes a command that only the auctioneer may send, and answers it.
    func execute(
        _ command: AuctioneerCommand, tag: String?, of id: SessionID,
        _ session: borrowing Session, in live: inout LiveSale, at now: Instant,
        _ outputs: inout Outputs
    ) -> Outcome {
        guard session.isAuctioneer else {
            outputs.refuse(.notAuctioneer, tag: tag, to: id)
            return .answered
        }
        let session = copy session
        func confirm(_ outputs: inout Outputs) {
            outputs.note(.ordered(command.verb), of: id, session)
            outputs.reply(.ok(.ruled(command.verb), tag: tag), to: id)
        }
        let auctionCommand: Auction.Command
        switch command {
        case .pause: auctionCommand = .pause
        case .resume: auctionCommand = .resume
        case .hammer: auctionCommand = .hammer
        case .void: auctionCommand = .void
        case .close: auctionCommand = .close
        case .kick(let bidder, let reason):
            guard let account = live.sale.names[bidder], account.isPresent else {
                outputs.refuse(.notHere(bidder), tag: tag, to: id)
                return .answered
            }
            confirm(&outputs)
            return .kick(account.bidder, reason: reason)
        case .mute, .unmute, .add:
            outputs.refuse(ErrorReply(.unknownCommand), tag: tag, to: id)
            return .answered
        case .stop:
            confirm(&outputs)
            return .stop
        }
        do throws(Auction.Refusal) {
            let event = try live.decide(auctionCommand, at: now)
            confirm(&outputs)
            if let event { live.record(event, at: now, &outputs) }
        } catch {
            outputs.refuse(ErrorReply(error, isOver: live.isOver), tag: tag, to: id)
        }
        return .answered
    }
}

extension ErrorReply {
    /// The reply to a command that the rules refuse.
    init(_ refusal: Auction.Refusal, isOver: Bool) {
        self =
            switch refusal {
            case .closed: isOver ? .over : .closed
            case .paused: .paused
            case .leading(let price): .leading(at: price)
            case .belowMinimum(let minimum): .tooLow(minimum: minimum)
            case .aboveMaximum(let maximum): .tooHigh(maximum: maximum)
            case .noBids: .noBids
            case .lastKnown: .lastKnown
            case .wrongFormat(let format): .wrongFormat(format)
            case .noBuyPrice: .noBuyPrice
            case .overPurse(let left): .overPurse(left: left)
            case .notDue: preconditionFailure("only time can be too early")
            }
    }
}
