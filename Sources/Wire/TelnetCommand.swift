/// A telnet command under way in a stream, begun by its introducer IAC.
///
/// The server supports no option: a DO is answered WONT and a WILL is answered DONT. Source: RFC 854.
struct TelnetCommand {
    static let introducer: UInt8 = 255

    private static let wont: UInt8 = 252
    private static let dont: UInt8 = 254

    private enum Awaited {
        case command
        case option(answer: UInt8?)
        case subnegotiation
        case endOfSubnegotiation
    }

    private var awaited = Awaited.command

    /// Takes the next byte of the command and returns whether it was the last.
    ///
    /// Two introducers in a row are one byte of data.
    mutating func receive(
        _ byte: UInt8, answering answers: inout [UInt8], data: inout [UInt8]
    ) -> Bool {
        switch awaited {
        case .command:
            return begin(byte, data: &data)
        case .option(let answer):
            if let answer { answers += [Self.introducer, answer, byte] }
            return true
        case .subnegotiation:
            if byte == Self.introducer { awaited = .endOfSubnegotiation }
            return false
        case .endOfSubnegotiation:
            awaited = .subnegotiation
            return byte == 240
        }
    }

    private mutating func begin(_ byte: UInt8, data: inout [UInt8]) -> Bool {
        switch byte {
        case 250: awaited = .subnegotiation
        case 251: awaited = .option(answer: Self.dont)
        case 253: awaited = .option(answer: Self.wont)
        case 252, 254: awaited = .option(answer: nil)
        case Self.introducer:
            data.append(byte)
            return true
        default: return true
        }
        return false
    }
}
