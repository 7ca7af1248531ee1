import BidderView
import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server for one client, which answers each line by an `OK` or an `ERROR`, or is silent.
final class AnsweringServer: Sendable {
    let address: ServerAddress
    private let listener: Listener
    /// How many lines the client will say, where it is let wait for its answers as far as it goes.
    private let heldLines: Int?

    /// Listens on a free port, or on a Unix socket at a path.
    init(heldLines: Int?, path: String? = nil) throws {
        if let path {
            listener = try Listener(path: path)
            address = .socket(path: path)
        } else {
            listener = try Listener(host: "127.0.0.1", port: 0)
            let port = listener.address.split(separator: ":").last.flatMap { UInt16($0) }
            address = .network(host: "127.0.0.1", port: try #require(port))
        }
        self.heldLines = heldLines
    }

    static func answer(to line: String) -> String {
        let tag = line.hasPrefix("#") ? line.prefix { $0 != " " } + " " : ""
        return switch line.dropFirst(tag.count) {
        case "name al": "OK name al t"
        case "ping", "who": "OK \(tag)ping"
        case "quit": "OK quit\nBYE quit"
        case let line where line.hasPrefix("long"):
            "ERROR \(tag)unknown-command " + String(repeating: "\(line) ", count: 16)
        default: "ERROR \(tag)too-low minimum=9 bid at least 9"
        }
    }

    /// Talks until the client goes, and returns what was heard of it, and how many of its lines
    /// waited for their answers at most.
    func serve() throws -> (heard: [String], mostWaiting: Int) {
        var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, 20_000)
        let connection = try syscall("accept") { accept(listener.descriptor, nil, nil) }
        defer { close(connection) }
        try writeAll(
            Array("HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)\n".utf8), to: connection)
        try writeAll(Array("LOT 1 Vase\n".utf8), to: connection)
        return talk(on: connection)
    }

    private func talk(on connection: Int32) -> (heard: [String], mostWaiting: Int) {
        var heard: [String] = []
        var (answered, mostWaiting) = (0, 0)
        var bytes = [UInt8](repeating: 0, count: 4096)
        var rest: [UInt8] = []
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        while true {
            let isEnough = mayAnswer(heard: heard.count, answered: answered)
            if isEnough, heldLines == nil || poll(&entry, 1, 50) == 0 {
                let answers = heard[answered...].filter { $0 != "silence" }
                    .map { Self.answer(to: $0) + "\n" }.joined()
                guard (try? writeAll(Array(answers.utf8), to: connection)) != nil else { break }
                answered = heard.count
            }
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            rest += bytes[..<count]
            let lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            heard += lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
            rest = Array(lines[lines.count - 1])
            mostWaiting = max(mostWaiting, heard.count - answered)
        }
        return (heard, mostWaiting)
    }

    /// Whether the client need not say more before it is answered: the name is, and then as much as
    /// it may say at once, which is what the client holds back with, or what is left.
    private func mayAnswer(heard: Int, answered: Int) -> Bool {
        guard let heldLines else { return true }
        return heard <= 1 || heard == heldLines || heard - answered >= OneShotSession.inputWindow
    }
}
