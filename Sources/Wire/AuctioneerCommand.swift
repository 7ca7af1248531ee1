import Auction

/// A command that only the auctioneer may send.
public enum AuctioneerCommand: Equatable, Sendable {
    /// Pauses the sale.
    case pause
    /// Resumes the sale.
    case resume
    /// Sells the open lot now.
    case hammer
    /// Takes back the last bid.
    case void
    /// Removes a bidder, for a reason that is sent to all clients.
    case kick(Bidder, reason: String)
    /// Refuses the messages of a bidder.
    case mute(Bidder)
    /// Accepts the messages of a bidder again.
    case unmute(Bidder)
    /// Adds a lot to the sale.
    indirect case add(LotPlan)
    /// Gives the lot of this number, which has not opened, a title.
    indirect case title(Lot)
    /// Changes the options of a sale that waits for its start.
    indirect case set(OptionChanges)
    /// Begins a sale that waits for it.
    case start
    /// Ends the round of the class that waits or is played.
    case skip
    /// Tells where the class stands, and what each student does.
    case classStatus
    /// Begins another game, with the same lots, after the end of the sale.
    case rematch
    /// Ends the open lot unsold.
    case close
    /// Ends a room other than `main`.
    case end(RoomName)
    /// Stops the server.
    case stop

    /// The first word of the command.
    public enum Verb: String, CaseIterable, Sendable {
        /// Pauses the sale.
        case pause
        /// Resumes the sale.
        case resume
        /// Sells the open lot.
        case hammer
        /// Takes back the last bid.
        case void
        /// Removes a bidder.
        case kick
        /// Refuses the messages of a bidder.
        case mute
        /// Accepts the messages of a bidder again.
        case unmute
        /// Adds a lot.
        case add
        /// Gives a lot a title.
        case title
        /// Changes the options of a sale that waits.
        case set
        /// Begins a sale that waits.
        case start
        /// Ends a round of the class.
        case skip
        /// Tells where the class stands.
        case classStatus = "class"
        /// Begins another game.
        case rematch
        /// Ends the open lot unsold.
        case close
        /// Ends a room.
        case end
        /// Stops the server.
        case stop
    }

    /// The first word of the command.
    public var verb: Verb {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .hammer: .hammer
        case .void: .void
        case .kick: .kick
        case .mute: .mute
        case .unmute: .unmute
        case .add: .add
        case .title: .title
        case .set: .set
        case .start: .start
        case .skip: .skip
        case .classStatus: .classStatus
        case .rematch: .rematch
        case .close: .close
        case .end: .end
        case .stop: .stop
        }
    }
}

extension AuctioneerCommand: CustomStringConvertible {
    /// The words of the command.
    public var description: String {
        switch self {
        case .kick(let bidder, let reason): "kick \(bidder) \(reason)"
        case .mute(let bidder), .unmute(let bidder): "\(verb.rawValue) \(bidder)"
        case .add(let plan): "add \(plan.line)"
        case .title(let lot): "title \(lot.number) \(lot.title)"
        case .set(let changes): "set \(changes.line)"
        case .end(let room): "end \(room)"
        case .pause, .resume, .hammer, .void, .start, .skip, .classStatus, .rematch, .close, .stop:
            verb.rawValue
        }
    }
}
