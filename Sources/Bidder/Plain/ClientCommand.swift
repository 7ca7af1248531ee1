import Auction
import Wire

/// The command of one run of the client.
package enum ClientCommand: Equatable, Sendable {
    /// Bids, and with `waits` follows the lot to its end.
    ///
    /// If no lot is open, the bid is refused, or with `waitsForLot` sent when the next one opens.
    case bid(Request.Offer, by: Bidder, waits: Bool, waitsForLot: Bool = false)
    /// Sends the lines of the input under a name, and prints everything.
    case play(as: Bidder)
    /// Prints the news.
    case watch
    /// Sends a request, under a name if one is given, and prints the data of its answer.
    case ask(Request.Command, as: Bidder? = nil)
    /// Sends any line, under a name if one is given, and prints the answer with its data.
    case send(String, as: Bidder?)
    /// Opens a room, and prints its key; in sentences also how others join it.
    case open(RoomName, RoomOptions, invitation: [String] = [])
}

extension Request.Command {
    /// The command, which if it offers something does so for the lot of this number alone.
    package func forLot(_ number: Int?) -> Request.Command {
        if case .offer(let offer, nil) = self { .offer(offer, lot: number) } else { self }
    }
}

/// A request that a session sends by itself.
enum SessionStep: Sendable {
    case format
    /// Requests the snapshot in JSON, because the one in the greeting is text.
    case snapshot
    /// Moves to another room, with its snapshot.
    case join(RoomName)
    case name(Bidder)
    case bid(Request.Offer)
    case line(String)

    var isName: Bool { if case .name = self { true } else { false } }
    var isBid: Bool { if case .bid = self { true } else { false } }

    /// Whether it prepares the news, so that none is printed before its answer.
    var isPreparation: Bool {
        switch self {
        case .format, .snapshot, .join: true
        case .name, .bid, .line: false
        }
    }

    /// The line to send.
    ///
    /// `lot` is the number of the open lot, and `token` the stored token of the name.
    func line(format: Format, lot: Int?, token: @autoclosure () -> String?) -> String {
        switch self {
        case .format: Request.Command.format(format).description
        case .snapshot: Request.Command.status.description
        case .join(let room): Request.Command.join(room).description
        case .name(let bidder): Request.Command.name(bidder, token: token()).description
        case .bid(let request): Request.Command.offer(request, lot: lot).description
        case .line(let line): line
        }
    }
}

extension ClientCommand {
    /// Whether the news is printed, and not only an answer.
    var followsNews: Bool {
        switch self {
        case .bid, .play, .watch: true
        case .ask, .send, .open: false
        }
    }

    /// Whether the command can print sentences and tables in place of lines.
    var hasSentences: Bool {
        switch self {
        case .bid, .ask, .open: true
        case .play, .watch, .send: false
        }
    }

    /// Whether its result depends on the room in which it is sent.
    private var needsRoom: Bool {
        switch self {
        case .ask(.rooms, _), .open: false
        case .bid, .play, .watch, .ask, .send: true
        }
    }

    /// The requests of the command in a room, in order.
    func steps(in room: RoomName, format: Format) -> [SessionStep] {
        var steps: [SessionStep] = format == .json ? [.format] : []
        if room != .main, needsRoom {
            steps.append(.join(room))
        } else if format == .json, followsNews {
            steps.append(.snapshot)
        }
        switch self {
        case .bid(let request, let bidder, _, _): steps += [.name(bidder), .bid(request)]
        case .play(let bidder): steps.append(.name(bidder))
        case .watch: break
        case .ask(let request, let bidder):
            if let bidder { steps.append(.name(bidder)) }
            steps.append(.line(request.description))
        case .send(let line, let bidder):
            if let bidder { steps.append(.name(bidder)) }
            steps.append(.line(line))
        case .open(let room, let options, _):
            steps.append(.line(Request.Command.open(room, options).description))
        }
        return steps
    }
}
