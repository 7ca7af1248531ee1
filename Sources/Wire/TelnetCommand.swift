/// A telnet command under way in a stream, begun by its introducer IAC.
///
/// The server supports no option: a DO is answered WONT and a WILL is answered DONT. Source: RFC
/// 854.
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

    /// What a byte made of the command.
    enum Outcome {
        /// There is more of it.
        case goesOn
        /// It is whole, and means nothing here.
        case done
        /// It is whole, and is to be answered.
        case refused(answer: [UInt8])
        /// It was no command: two introducers in a row are one byte of data.
        case data(UInt8)
    }

    private var awaited = Awaited.command

    /// Takes the next byte.
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
