import Auction
import Bidder
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct PlainClientInputTests {
    @Test("each line of a pipe is sent, also the last without a line end")
    func pipe() async throws {
        let outcome = try await play(["pi", "ng\n\n  \n#1 who\r", "\nbid 5"])
        #expect(outcome.received == ["name al", "ping", "#1 who", "bid 5"])
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: ["ping", "#1 who", "bid 5"]))
        #expect(outcome.code == .done)
    }

    @Test("a file is read to its end")
    func file() async throws {
        let lines = (1...5000).map { "#\($0) ping" }
        let text = lines.joined(separator: "\n")
        let folder = TemporaryFolder()
        try replaceFile(folder.path + "/in", with: Array(text.utf8), mode: 0o600)
        let file = try syscall("open") { open(folder.path + "/in", O_RDONLY) }
        let outcome = try await play(from: file)
        #expect(outcome.received == ["name al"] + lines)
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.code == .done)
        close(file)
    }

    @Test("a line that is too long or not UTF-8 is refused, and the next one is sent")
    func unusable() async throws {
        let (longest, longer) = (
            String(repeating: "x", count: 1023), String(repeating: "x", count: 1024)
        )
        let end = Array("\n\(longest)\n".utf8)
        let outcome = try await play(bytes: [Array("\(longer)\n".utf8), [0x61, 0xFE] + end])
        #expect(outcome.received == ["name al", longest])
        #expect(
            outcome.complaints == [
                "a line of more than 1023 bytes was not sent",
                "a line that is no UTF-8 was not sent",
            ])
        #expect(outcome.code == .done)
    }

    @Test("an unreadable input is a usage error")
    func unreadable() async throws {
        let folder = try syscall("open") { open("/", O_RDONLY) }
        let outcome = try await play(from: folder)
        #expect(outcome.complaints == ["cannot read the input: read: Is a directory"])
        #expect(outcome.code == .usage)
        close(folder)
    }

    @Test("the input stays blocking")
    func blocking() async throws {
        let (readEnd, writeEnd) = try makePipe()
        #expect(fcntl(readEnd, F_SETFL, 0) == 0)
        close(writeEnd)
        #expect(try await play(from: readEnd).code == .done)
        #expect(fcntl(readEnd, F_GETFL) & O_NONBLOCK == 0)
        close(readEnd)
    }

    @Test("the number of lines without an answer is limited")
    func backpressure() async throws {
        let lines = (1...4000).map { "#\($0) ping" }
        let outcome = try await play([lines.joined(separator: "\n")], heldLines: lines.count + 1)
        #expect(outcome.received.count == lines.count + 1)
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.maximumWaiting >= OneShotSession.inputWindow)
        // A line has at least eight bytes, and one read has 4 KiB.
        #expect(outcome.maximumWaiting <= OneShotSession.inputWindow + 4096 / 8)
    }

    /// The answers are longer than the lines, and a Unix socket buffers less than all lines.
    @Test("no input is read while lines wait to be sent")
    func unsent() async throws {
        let folder = TemporaryFolder()
        let lines = (1...400).map { "#\($0) long" + String(repeating: "x", count: 900) }
        let text = Array(lines.joined(separator: "\n").utf8)
        let outcome = try await play(
            bytes: [text], timeout: .seconds(2), path: folder.path + "/socket")
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.code == .done)
    }

    @Test("quit ends the session before the end of the input")
    func quit() async throws {
        let outcome = try await play(["quit\n"], stays: true)
        #expect(outcome.shown == ["LOT 1 Vase", "OK quit", "BYE quit"])
        #expect(outcome.code == .done)
    }

    @Test("a missing answer to a line is a timeout")
    func silent() async throws {
        let outcome = try await play(["silence\n"], stays: true, timeout: .milliseconds(200))
        #expect(outcome.complaints == ["the server does not answer"])
        #expect(outcome.code == .lost)
    }

    /// The output of a client, and what its server received.
    private struct Outcome {
        let code: ExitCode
        let shown: [String]
        let complaints: [String]
        /// The lines that the server received, and the maximum number of unanswered ones.
        let received: [String]
        let maximumWaiting: Int
    }

    private func answers(to lines: [String]) -> [String] {
        lines.map { AnsweringServer.answer(to: $0) }
    }

    private func play(
        _ pieces: [String], stays: Bool = false, heldLines: Int? = nil,
        timeout: Duration = .seconds(20)
    ) async throws -> Outcome {
        try await play(
            bytes: pieces.map { Array($0.utf8) }, stays: stays, heldLines: heldLines,
            timeout: timeout)
    }

    /// Plays with a pipe that has these pieces, and then ends or stays open.
    private func play(
        bytes pieces: [[UInt8]], stays: Bool = false, heldLines: Int? = nil,
        timeout: Duration = .seconds(20), path: String? = nil
    ) async throws -> Outcome {
        let (readEnd, writeEnd) = try makePipe()
        defer { close(readEnd) }
        let outcome = try await onThread {
            try beside({
                for piece in pieces { try writeAll(piece, to: writeEnd) }
                if !stays { close(writeEnd) }
            }) {
                try Self.outcome(
                    readEnd, heldLines: heldLines, timeout: timeout, path: path)
            }.1
        }
        if stays { close(writeEnd) }
        return outcome
    }

    private func play(from input: Int32) async throws -> Outcome {
        try await onThread {
            try Self.outcome(input, heldLines: nil, timeout: .seconds(20))
        }
    }

    private static func outcome(
        _ input: Int32, heldLines: Int?, timeout: Duration, path: String? = nil
    ) throws -> Outcome {
        let server = try AnsweringServer(heldLines: heldLines, path: path)
        let session = OneShotSession(.play(as: try #require(Bidder("al"))))
        let (lines, output) = try beside({ try server.serve() }) {
            try PlainOutput(of: session, at: server.address, input: input, timeout: timeout)
        }
        return Outcome(
            code: output.code, shown: output.shown, complaints: output.complaints,
            received: lines.received, maximumWaiting: lines.maximumWaiting)
    }
}

/// A server for one client that answers each line with `OK` or `ERROR`, or not at all.
final class AnsweringServer: Sendable {
    let address: ServerAddress
    private let listener: Listener
    /// The number of lines of the client, if the server waits for all of them before it answers.
    private let heldLines: Int?

    /// Listens on a free port, or on a Unix socket at a path.
    init(heldLines: Int?, path: String? = nil) throws {
        if let path {
            listener = try Listener(path: path)
            address = .socket(path: path)
        } else {
            listener = try Listener(host: "127.0.0.1", port: 0)
            address = .network(host: "127.0.0.1", port: try port(of: listener))
        }
        self.heldLines = heldLines
    }

    /// The line that a client sends at once, which is no line of its input.
    private static let opening = "#hello format text"

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

    /// Serves until the client closes; returns its lines, and the most that were unanswered.
    func serve() throws -> (received: [String], maximumWaiting: Int) {
        let connection = try accept(on: listener)
        defer { close(connection) }
        try writeAll(
            Array("HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)\n".utf8), to: connection)
        try writeAll(Array("LOT 1 Vase\n".utf8), to: connection)
        return talk(on: connection)
    }

    private func talk(on connection: Int32) -> (received: [String], maximumWaiting: Int) {
        var received: [String] = []
        var (answered, maximumWaiting) = (0, 0)
        var bytes = [UInt8](repeating: 0, count: 4096)
        var rest: [UInt8] = []
        var entry = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        while true {
            let isEnough = mayAnswer(received: received.count, answered: answered)
            if isEnough, heldLines == nil || poll(&entry, 1, 50) == 0 {
                let answers = received[answered...].filter { $0 != "silence" }
                    .map { Self.answer(to: $0) + "\n" }.joined()
                guard (try? writeAll(Array(answers.utf8), to: connection)) != nil else { break }
                answered = received.count
            }
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { break }
            rest += bytes[..<count]
            let lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            let arrived = lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
            if arrived.contains(Self.opening) {
                try? writeAll(Array("OK \(Self.opening)\n".utf8), to: connection)
            }
            received += arrived.filter { $0 != Self.opening }
            rest = Array(lines[lines.count - 1])
            maximumWaiting = max(maximumWaiting, received.count - answered)
        }
        return (received, maximumWaiting)
    }

    /// Whether to answer: at once, or after the name and then after a full window or all lines.
    private func mayAnswer(received: Int, answered: Int) -> Bool {
        guard let heldLines else { return true }
        return received <= 1 || received == heldLines
            || received - answered >= OneShotSession.inputWindow
    }
}
