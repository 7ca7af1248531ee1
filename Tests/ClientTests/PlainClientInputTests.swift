import AuctionRules
import BidderView
import Client
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
    @Test("each line of a pipe is said and answered, and the last one needs no end")
    func pipe() async throws {
        let outcome = try await play(["pi", "ng\n\n  \n#1 who\r", "\nbid 5"])
        #expect(outcome.heard == ["name al", "ping", "#1 who", "bid 5"])
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
        #expect(outcome.heard == ["name al"] + lines)
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.code == .done)
        close(file)
    }

    @Test("a line over 1,023 bytes and one that is no UTF-8 are refused, and the next ones said")
    func unusable() async throws {
        let (longest, longer) = (
            String(repeating: "x", count: 1023), String(repeating: "x", count: 1024)
        )
        let end = Array("\n\(longest)\n".utf8)
        let outcome = try await play(bytes: [Array("\(longer)\n".utf8), [0x61, 0xFE] + end])
        #expect(outcome.heard == ["name al", longest])
        #expect(
            outcome.complaints == [
                "a line of more than 1023 bytes was not sent",
                "a line that is no UTF-8 was not sent",
            ])
        #expect(outcome.code == .done)
    }

    @Test("what cannot be read is told of, and is bad usage")
    func unreadable() async throws {
        let folder = try syscall("open") { open("/", O_RDONLY) }
        let outcome = try await play(from: folder)
        #expect(outcome.complaints == ["cannot read the input: read: Is a directory"])
        #expect(outcome.code == .usage)
        close(folder)
    }

    @Test("the input is left as blocking as it was")
    func blocking() async throws {
        let (readEnd, writeEnd) = try makePipe()
        #expect(fcntl(readEnd, F_SETFL, 0) == 0)
        close(writeEnd)
        #expect(try await play(from: readEnd).code == .done)
        #expect(fcntl(readEnd, F_GETFL) & O_NONBLOCK == 0)
        close(readEnd)
    }

    @Test("no more than a bounded number of lines is read before one is answered")
    func backpressure() async throws {
        let lines = (1...4000).map { "#\($0) ping" }
        let outcome = try await play([lines.joined(separator: "\n")], heldLines: lines.count + 1)
        #expect(outcome.heard.count == lines.count + 1)
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.mostWaiting >= OneShotSession.inputWindow)
        // A line has at least eight bytes, and 4 KiB may be read with the last that was wanted.
        #expect(outcome.mostWaiting <= OneShotSession.inputWindow + 4096 / 8)
    }

    /// The answers are longer than the lines, so the server is always behind; on a Unix socket the
    /// kernel stores less than all that is said.
    @Test("while lines wait to be sent no more are read, so answers are read from a slow server")
    func unsent() async throws {
        let folder = TemporaryFolder()
        let lines = (1...400).map { "#\($0) long" + String(repeating: "x", count: 900) }
        let text = Array(lines.joined(separator: "\n").utf8)
        let outcome = try await play(
            bytes: [text], patience: 2_000_000_000, path: folder.path + "/socket")
        #expect(outcome.shown == ["LOT 1 Vase"] + answers(to: lines))
        #expect(outcome.code == .done)
    }

    @Test("quit ends it, whatever the input has still to say")
    func quit() async throws {
        let outcome = try await play(["quit\n"], stays: true)
        #expect(outcome.shown == ["LOT 1 Vase", "OK quit", "BYE quit"])
        #expect(outcome.code == .done)
    }

    @Test("a server that does not answer a line is lost")
    func silent() async throws {
        let outcome = try await play(["silence\n"], stays: true, patience: 200_000_000)
        #expect(outcome.complaints == ["the server does not answer"])
        #expect(outcome.code == .lost)
    }

    private struct Outcome {
        var code = ExitCode.usage
        var shown: [String] = []
        var complaints: [String] = []
        /// What the server heard, and how many lines waited for their answers at most.
        var heard: [String] = []
        var mostWaiting = 0
    }

    private func answers(to lines: [String]) -> [String] {
        lines.map { AnsweringServer.answer(to: $0) }
    }

    private func play(
        _ pieces: [String], stays: Bool = false, heldLines: Int? = nil,
        patience: Int64 = 20_000_000_000
    ) async throws -> Outcome {
        try await play(
            bytes: pieces.map { Array($0.utf8) }, stays: stays, heldLines: heldLines,
            patience: patience)
    }

    /// Plays with a pipe into which these pieces are written, and which then ends, or stays open.
    private func play(
        bytes pieces: [[UInt8]], stays: Bool = false, heldLines: Int? = nil,
        patience: Int64 = 20_000_000_000, path: String? = nil
    ) async throws -> Outcome {
        let (readEnd, writeEnd) = try makePipe()
        defer { close(readEnd) }
        let outcome = try await onThread {
            try beside({
                for piece in pieces { try writeAll(piece, to: writeEnd) }
                if !stays { close(writeEnd) }
            }) {
                try Self.outcome(
                    readEnd, heldLines: heldLines, patience: patience, path: path)
            }.1
        }
        if stays { close(writeEnd) }
        return outcome
    }

    private func play(from input: Int32) async throws -> Outcome {
        try await onThread {
            try Self.outcome(input, heldLines: nil, patience: 20_000_000_000)
        }
    }

    private static func outcome(
        _ input: Int32, heldLines: Int?, patience: Int64, path: String? = nil
    ) throws -> Outcome {
        let server = try AnsweringServer(heldLines: heldLines, path: path)
        let al = try #require(Bidder("al"))
        let address = server.address
        var (heard, outcome) = try beside({ try server.serve() }) {
            var outcome = Outcome()
            let client = try PlainClient(
                OneShotSession(.play(as: al)), at: address, input: input,
                patienceNanoseconds: patience
            ) { effect in
                switch effect {
                case .show(let line): outcome.shown.append(line.text)
                case .complain(let text): outcome.complaints.append(text)
                case .send, .keep, .exit, .connect, .disconnect, .redraw, .suspend: break
                }
            }
            outcome.code = try client.run()
            return outcome
        }
        (outcome.heard, outcome.mostWaiting) = heard
        return outcome
    }
}
