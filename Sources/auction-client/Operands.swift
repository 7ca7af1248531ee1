import Arguments
import Auction
import Bidder
import Terminal
import Wire

/// The operands of the commands.
extension Flags {
    /// The command with its operands.
    ///
    /// - Throws: `UsageError` if an operand is invalid, or a name is missing.
    static func clientCommand(
        _ invocation: Invocation, as bidder: Bidder?
    ) throws(UsageError) -> ClientCommand {
        let command = invocation.command
        switch command {
        case bid: return try bidding(.bid(try price(invocation)), bid, invocation, by: bidder)
        case max: return try bidding(.maximum(try maximum(invocation)), max, invocation, by: bidder)
        case take: return try bidding(.take, take, invocation, by: bidder)
        case buy: return try bidding(.buy, buy, invocation, by: bidder)
        case say:
            let message = try request(
                say, invocation,
                expected: "TEXT must be one line of 1 to \(Lot.longestTitle) bytes, without "
                    + "control characters")
            return .ask(message, as: try needed(bidder, for: say))
        case play: return .play(as: try needed(bidder, for: play))
        case watch: return .watch
        case laps: return .ask(try list(laps, invocation))
        case results: return .ask(try list(results, invocation))
        case standings: return .ask(.standings)
        case who: return .ask(.who)
        case status: return .ask(.status)
        case rooms: return .ask(.rooms)
        case open: return try opening(invocation)
        default: return .send(try line(invocation.operands), as: bidder)
        }
    }

    /// The number of bots.
    ///
    /// - Throws: `UsageError` if it is no number, or too high.
    static func botCount(_ invocation: Invocation) throws(UsageError) -> Int {
        guard let count = Int64(digits: invocation.operands[0]), (1...mostBots).contains(count)
        else {
            throw program.misuse(
                "COUNT must be a whole number from 1 to \(mostBots), not "
                    + "'\(invocation.operands[0])'")
        }
        return Int(count)
    }

    /// The most bots of one process; a server admits 256 connections of an address.
    private static let mostBots: Int64 = 200

    private static func bidding(
        _ request: Request.Offer, _ command: Command, _ invocation: Invocation, by bidder: Bidder?
    ) throws(UsageError) -> ClientCommand {
        .bid(
            request, by: try needed(bidder, for: command),
            waits: !invocation[noWait] && request != .maximum(nil),
            waitsForLot: invocation[wait])
    }

    private static func maximum(_ invocation: Invocation) throws(UsageError) -> Price? {
        invocation.operands[0] == "0" ? nil : try price(invocation)
    }

    private static func price(_ invocation: Invocation) throws(UsageError) -> Price {
        let word = invocation.operands[0]
        guard let price = Int64(digits: word).flatMap({ Price($0) }) else {
            throw program.misuse(
                "AMOUNT must be a whole number from 1 to \(Price.highest.amount), not '\(word)'")
        }
        return price
    }

    /// The command of the protocol with the operands, by the rules of the protocol.
    private static func request(
        _ command: Command, _ invocation: Invocation, expected: String
    ) throws(UsageError) -> Request.Command {
        let line = ([command.name] + invocation.operands).joined(separator: " ")
        guard let request = try? Request(line: line) else { throw program.misuse(expected) }
        return request.command
    }

    private static func list(
        _ command: Command, _ invocation: Invocation
    ) throws(UsageError) -> Request.Command {
        try request(
            command, invocation,
            expected: "\(command.name) takes FIRST, a number from 1 on, and COUNT, from 1 to "
                + "\(ListRange.longest), in the digits 0 to 9")
    }

    private static func opening(_ invocation: Invocation) throws(UsageError) -> ClientCommand {
        guard let room = RoomName(invocation.operands[0]) else {
            throw program.misuse(
                "NAME must be \(RoomName.allowed), not '\(invocation.operands[0])'")
        }
        let options: RoomOptions
        do throws(OptionProblem) {
            options = try RoomOptions(line: invocation.operands.dropFirst().joined(separator: " "))
        } catch {
            throw program.misuse(error.description)
        }
        return .open(room, options, invitation: try server(invocation).invitation(to: room))
    }

    private static func needed(
        _ bidder: Bidder?, for command: Command
    ) throws(UsageError) -> Bidder {
        guard let bidder else {
            throw program.misuse("\(command.name) needs your name, as in --name alice")
        }
        return bidder
    }

    private static func line(_ operands: [String]) throws(UsageError) -> String {
        let line = operands.joined(separator: " ")
        guard line.contains(where: { $0 != " " && $0 != "\t" }),
            !line.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" })
        else {
            throw program.misuse("send takes one line, with a word in it")
        }
        return line
    }
}
