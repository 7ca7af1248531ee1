/// An incomplete telnet command in a stream, after its introducer IAC.
///
/// The server supports no option: it answers DO with WONT and WILL with DONT.
///
/// Source: RFC 854.
struct TelnetCommand {
    static let introducer: UInt8 = 255

    private static let subnegotiationEnd: UInt8 = 240
    private static let subnegotiation: UInt8 = 250
    private static let will: UInt8 = 251
    private static let wont: UInt8 = 252
    private static let `do`: UInt8 = 253
    private static let dont: UInt8 = 254

    private enum Awaited {
        case command
        case option(answer: UInt8?)
        case subnegotiation
        case endOfSubnegotiation
    }

    /// The effect of a byte on the command.
    enum Outcome {
        /// The command is incomplete.
        case goesOn
        /// The command is complete, and needs no answer.
        case done
        /// The command is complete, and has this answer.
        case refused(answer: [UInt8])
        /// It was not a command: two introducers in a row are one byte of data.
        case data(UInt8)
    }

    private var awaited = Awaited.command

    /// Uses the next byte.
    mutating func receive(_ byte: UInt8) -> Outcome {
        switch awaited {
        case .command:
            return begin(byte)
        case .option(let answer):
            return answer.map { .refused(answer: [Self.introducer, $0, byte]) } ?? .done
        case .subnegotiation:
            if byte == Self.introducer { awaited = .endOfSubnegotiation }
            return .goesOn
        case .endOfSubnegotiation:
            awaited = .subnegotiation
            return byte == Self.subnegotiationEnd ? .done : .goesOn
        }
    }

    private mutating func begin(_ byte: UInt8) -> Outcome {
        switch byte {
        case Self.subnegotiation: awaited = .subnegotiation
        case Self.will: awaited = .option(answer: Self.dont)
        case Self.do: awaited = .option(answer: Self.wont)
        case Self.wont, Self.dont: awaited = .option(answer: nil)
        case Self.introducer: return .data(byte)
        default: return .done
        }
        return .goesOn
    }
}
