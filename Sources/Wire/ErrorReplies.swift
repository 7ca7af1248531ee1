import Auction

// The replies of a server, with their facts and advice.
extension ErrorReply {
    /// A bid below the minimum.
    public static func tooLow(minimum: Int64) -> ErrorReply {
        ErrorReply(
            .tooLow, facts: [Fact("minimum", minimum)],
            advice: minimum <= Price.highest.amount
                ? "bid at least \(minimum)" : "nobody can bid more than this")
    }

    /// A bid above the maximum.
    public static func tooHigh(maximum: Int64) -> ErrorReply {
        ErrorReply(.tooHigh, facts: [Fact("maximum", maximum)], advice: "bid at most \(maximum)")
    }

    /// A higher bid by the leader.
    public static func leading(at price: Price) -> ErrorReply {
        ErrorReply(
            .leading, facts: [Fact("price", price.amount)],
            advice: "you already lead, wait until somebody bids more")
    }

    /// A bid or a maximum above what is left of the purse.
    public static func overPurse(left: Int64) -> ErrorReply {
        ErrorReply(
            .overPurse, facts: [Fact("left", left)],
            advice: left > 0
                ? "you can bid at most \(left)" : "nothing is left of your purse for another bid")
    }

    /// A command that an auction of this format does not have.
    public static func wrongFormat(_ format: AuctionFormat) -> ErrorReply {
        ErrorReply(.wrongFormat, advice: format.advice)
    }

    /// A void of a sealed bid.
    public static let sealed = ErrorReply(
        .wrongFormat, advice: "the bids on this lot are sealed, close it instead")

    /// A purchase of a lot that has no buy-now price, or whose price has reached it.
    public static let noBuyPrice = ErrorReply(
        .noBuyPrice, advice: "this lot cannot be bought at once, type: bid AMOUNT")

    /// A bid that another bidder's maximum has met; the minimum is nil if no bid is possible now.
    public static func outbid(minimum: Int64?) -> ErrorReply {
        guard let minimum else {
            return ErrorReply(.outbid, advice: "another bid is as high, and nobody can bid more")
        }
        return ErrorReply(
            .outbid, facts: [Fact("minimum", minimum)],
            advice: "another bid is as high, bid at least \(minimum)")
    }

    /// An offer for another lot than the open one.
    public static func otherLot(open number: Int) -> ErrorReply {
        ErrorReply(
            .otherLot, facts: [Fact("lot", Int64(number))], advice: "lot \(number) is open now")
    }

    /// A message of a bidder whom the auctioneer muted.
    public static let muted = ErrorReply(
        .muted, advice: "the auctioneer does not let you send messages")

    /// A `mute` when too many names are muted.
    public static let tooManyMuted = ErrorReply(
        .full, advice: "too many names are muted, unmute one of them first")

    /// A message of a bidder who sent too many in a short time.
    public static func tooManyMessages(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "you sent too many messages")
    }

    /// A lot or a room with a wrong option; the reason names it, and what is allowed.
    public static func badOption(_ reason: String) -> ErrorReply {
        ErrorReply(.badOption, advice: reason)
    }

    /// A bid between lots.
    public static let closed = ErrorReply(
        .closed, advice: "no lot is open, wait for the next LOT line")

    /// A bid after the last lot.
    public static let over = ErrorReply(.closed, advice: "the sale is over, no lot will follow")

    /// A bid while the sale is paused.
    public static let paused = ErrorReply(.paused, advice: "wait for RESUMED")

    /// An auctioneer's command that needs a bid, on a lot without one.
    public static let noBids = ErrorReply(.noBids, advice: "nobody has bid on this lot")

    /// A `start` of a sale that does not wait for it.
    public static let notWaiting = ErrorReply(
        .wrongTime, advice: "the sale does not wait for a start")

    /// A `pause` of a sale that waits for its start.
    public static let notBegun = ErrorReply(
        .wrongTime, advice: "the sale has not begun, type: start")

    /// A `start` of a round for which too few bidders are present.
    public static let classTooSmall = ErrorReply(
        .wrongTime, advice: "wait until two bidders are here")

    /// A command of the teacher for which the class is not ready.
    public static let notNow = ErrorReply(
        .wrongTime, advice: "type class: it lists the orders that can be given now")

    /// A name for the teacher of a class, or the teacher's token from a student.
    public static let teacherWithName = ErrorReply(
        .wrongTime,
        advice: "the teacher of a class takes no name: open a second connection to bid under "
            + "a name")

    /// An order to a class on a server that leads none.
    public static let noClass = ErrorReply(
        .wrongTime, advice: "this server leads no class, it needs --class FILE for that")

    /// A `ready` while there are no instructions to read.
    public static let nothingToRead = ErrorReply(
        .wrongTime, advice: "no round waits for ready now, wait for the next ROUND")

    /// A bidder who enters the room of a group without the class.
    public static let roomOfClass = ErrorReply(
        .wrongTime, advice: "the class brings you to your group, type: join class")

    /// A command of the teacher that would change a room of the class.
    public static let ledByClass = ErrorReply(
        .wrongTime, advice: "the class leads this room, type class: it lists the orders")

    /// A `start` of a class that has played all its rounds.
    public static let classOver = ErrorReply(
        .wrongTime, advice: "the class is over, start the server with another --data DIR")

    /// A `rematch` before the end of the sale.
    public static let notOver = ErrorReply(
        .wrongTime, advice: "wait for OVER, then a rematch can begin")

    /// A title for a lot that has opened, or that does not exist.
    public static let noLotToCome = ErrorReply(
        .wrongTime, advice: "no lot to come has this number")

    /// A `void` for which the bid before is no longer known.
    public static let lastKnown = ErrorReply(
        .noBids, advice: "the bids before the last are not known any more, close the lot instead")

    /// A `kick` of a name that is not connected.
    public static func notHere(_ bidder: Bidder) -> ErrorReply {
        ErrorReply(.notHere, advice: "no bidder here has the name \(bidder), type who for a list")
    }

    /// An auctioneer's command from a client that is no auctioneer.
    public static let notAuctioneer = ErrorReply(
        .notAuctioneer,
        advice: "type first: auctioneer TOKEN, with the server's token or the key of this room")

    /// A teacher's command in a room of a class from a client that is not the teacher.
    public static let notTeacher = ErrorReply(
        .notAuctioneer,
        advice: "only the teacher of the class can do this, type first: auctioneer TOKEN, with the "
            + "server's token")

    /// An auctioneer's token on a connection where none is accepted.
    public static let auctioneerElsewhere = ErrorReply(
        .notAuctioneer,
        advice: "the auctioneer's token is accepted only on the server's Unix socket")

    /// A `stop` from the auctioneer of one room.
    public static let notServerAuctioneer = ErrorReply(
        .notAuctioneer, advice: "only the auctioneer of the whole server can stop it")

    /// An `end` of another room from the auctioneer of one room.
    public static let otherRoom = ErrorReply(
        .notAuctioneer, advice: "only the auctioneer of the whole server can end another room")

    /// A bid without a name.
    public static let notNamed = ErrorReply(.notNamed, advice: "take a name first, type: name YOU")

    /// A name that another client owns.
    public static let nameTaken = ErrorReply(
        .nameTaken, advice: "choose another name, or prove that it is yours: name YOU TOKEN")

    /// A display name that is the name or the display name of somebody else.
    public static let displayTaken = ErrorReply(
        .displayTaken, advice: "somebody here is called that, choose another form of your name")

    /// A token that does not belong to the name.
    public static let wrongToken = ErrorReply(
        .wrongToken,
        advice: "this is not the token of the name, send the right one or choose another name")

    /// A wrong auctioneer's token.
    public static let wrongAuctioneerToken = ErrorReply(
        .wrongToken, advice: "this is neither the auctioneer's token nor the key of this room")

    /// A second name for one connection.
    public static func alreadyNamed(_ bidder: Bidder) -> ErrorReply {
        ErrorReply(.alreadyNamed, advice: "you are \(bidder) here, connect again for another name")
    }

    /// A line that is longer than the limit, in bytes.
    public static func lineTooLong(limit: Int) -> ErrorReply {
        ErrorReply(.lineTooLong, advice: "a line has at most \(limit) bytes, this one was ignored")
    }

    /// A command without a result, because the journal cannot be written.
    public static let unavailable = ErrorReply(
        .unavailable, advice: "nothing was accepted, try again later")

    /// A `resume` after news of which some is no longer kept.
    public static let gone = ErrorReply(
        .gone, advice: "this news is not kept any more, go on from the snapshot that follows")

    /// A connection for which there is no free place.
    public static let full = ErrorReply(.full, advice: "too many are connected, try again later")

    /// A connection from an address that has reached its limit of connections.
    public static let addressFull = ErrorReply(
        .full, advice: "too many connections come from your address, close one of them first")

    /// A connection from an address with too many new connections in a short time.
    public static func tooManyConnects(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "too many connections came from your address")
    }

    /// A new name from an address that took too many names in a short time.
    public static func tooManyNames(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "too many new names from your address")
    }

    /// A new name or room from an address for which its node has claimed many lately.
    public static func tooManyClaims(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "too many new names and rooms from your address")
    }

    /// A new name when too many names have owners.
    public static let namesFull = ErrorReply(
        .full,
        advice: "too many names are owned, use one that is known in this room or try again later")

    /// A `join` of a room that is not open.
    public static let noRoom = ErrorReply(
        .noRoom, advice: "no room has this name, type rooms for a list")

    /// An `open` of a room that is open already.
    public static let roomTaken = ErrorReply(
        .roomTaken, advice: "this room is open already, join it or choose another name")

    /// An `open` when the server has as many rooms as it may have.
    public static let roomsFull = ErrorReply(
        .full,
        advice: "the server has as many rooms as it allows, type rooms for a list and join one")

    /// An `open` from an address that has as many open rooms as it may have.
    public static let addressRoomsFull = ErrorReply(
        .full,
        advice: "too many rooms were opened from your address, type rooms for a list and join one")

    /// A name that the auctioneer kicked.
    public static func kicked(seconds: Int) -> ErrorReply {
        ErrorReply(
            .kicked, facts: [Fact("seconds", Int64(seconds))],
            advice: "the auctioneer kicked this name, try again in \(seconds) s")
    }

    /// A name that was used with its token, or moved to other rooms, too often in a short time.
    public static func openedTooOften(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "names were used or moved too often")
    }

    /// A token from an address that sent too many wrong ones in a short time.
    public static func tooManyTokens(seconds: Int) -> ErrorReply {
        .slowDown(seconds, after: "too many wrong tokens from your address")
    }

    private static func slowDown(_ seconds: Int, after excess: String) -> ErrorReply {
        ErrorReply(
            .slowDown, facts: [Fact("seconds", Int64(seconds))],
            advice: "\(excess), try again in \(seconds) s")
    }

    /// A line that is not a valid request.
    public init(_ reason: ParseError.Reason) {
        switch reason {
        case .notUTF8: self.init(.notUTF8, advice: "send the line again as UTF-8")
        case .unknownCommand: self.init(.unknownCommand, advice: "type help for the commands")
        case .badArguments(let usage): self.init(.badArguments, advice: "type: \(usage)")
        case .badAmount:
            self.init(
                .badAmount, advice: "an amount is a whole number from 1 to \(Price.highest.amount)")
        case .badName:
            self.init(
                .badName, advice: "a name has 1 to \(Bidder.longest) letters, digits, _ or -")
        case .badOption(let problem): self = .badOption(problem.description)
        case .http:
            self.init(
                .unknownCommand, advice: "HTTP must begin a connection, type help for the commands")
        }
    }
}
