import Auction
import DiskSupport
import House
import Posix
import Server
import TestSupport
import Testing
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct AuctioneerTests {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path + "/token" }
    static let token = "0123456789abcdef0123456789abcdef"

    @Test(
        "a file holds one token, with white space around it or without",
        arguments: [
            (token, nil), (" \t\r\n\(token)\n\n", nil), ("", .empty), (" \n", .empty),
            ("0123456789abcdef0123456789abcde", .noToken), ("\(token) \(token)", .noToken),
            (String(repeating: "a", count: 256), nil),
            (String(repeating: "a", count: 257), .noToken),
            ("\(token)\u{0}", .noToken), ("\(token)é", .noToken),
            (token + String(repeating: " ", count: 2000), .noToken),
        ] as [(String, TokenFileError.Reason?)])
    func content(text: String, reason: TokenFileError.Reason?) throws {
        try replaceFile(path, with: Array(text.utf8), mode: 0o600)
        expect(reason)
    }

    @Test(
        "only its owner may read or write the file",
        arguments: [
            (0o600, true), (0o400, true), (0o700, true), (0o640, false), (0o620, false),
            (0o604, false), (0o602, false), (0o666, false),
        ] as [(mode_t, Bool)])
    func modes(mode: mode_t, isFit: Bool) throws {
        try replaceFile(path, with: Array(Self.token.utf8), mode: 0o600)
        #expect(chmod(path, mode) == 0)
        expect(isFit ? nil : .file(.openToOthers))
    }

    @Test("a missing file, or one that is not regular, holds no token")
    func noFile() throws {
        expect(.file(.system(SystemError(code: ENOENT, call: "open"))))
        #expect(mkfifo(path, 0o600) == 0)
        expect(.file(.notRegular))
        #expect(throws: TokenFileError(path: "/tmp", reason: .file(.notRegular))) {
            _ = try AuctioneerToken(file: "/tmp")
        }
    }

    @Test("each reason is one line with advice")
    func advice() {
        for reason: TokenFileError.Reason in [
            .file(.system(SystemError(code: ENOENT, call: "open"))), .file(.notRegular), .empty,
            .noToken,
        ] {
            let line = TokenFileError(path: "key", reason: reason).description
            #expect(
                line.hasSuffix("(umask 077; od -An -N16 -tx1 /dev/urandom | tr -d ' \\n' > key)"))
            #expect(!line.contains("\n"))
        }
        let open = TokenFileError(path: "key", reason: .file(.openToOthers)).description
        #expect(open.hasSuffix("chmod 600 key"))
    }

    @Test("a server whose token file is bad does not start, and leaves no journal behind")
    func refusesStart() throws {
        var settings = Settings()
        settings.port = 0
        settings.auctioneerTokenFile = path
        settings.data = temporary.path + "/data"
        #expect(throws: TokenFileError.self) { _ = try AuctionServer(settings) }
        #expect(access(temporary.path + "/data", F_OK) == -1)
    }

    @Test("a sale is paused and stopped by its auctioneer, and paused when started again")
    func stop() async throws {
        let disk = MemoryDisk()
        try replaceFile(path, with: Array(Self.token.utf8), mode: 0o600)
        _ = try await withServer(settings(on: disk)) { _, port in
            let boss = try Visitor(port: port)
            let alice = try Visitor(port: port)
            try alice.say("name alice\nbid 5")
            try alice.hear("COUNTDOWN 60")
            try boss.say("auctioneer \(Self.token)\npause")
            try boss.hear("OK auctioneer")
            try alice.hear("PAUSED")
            try boss.say("stop\nping")
            try boss.hear("OK stop")
            for visitor in [boss, alice] {
                try visitor.hear("STOPPED")
                try visitor.hear("BYE shutdown")
                try visitor.hearEnd()
            }
            #expect(boss.lines.last == "BYE shutdown")
        }
        _ = try await withServer(settings(on: disk)) { _, port in
            let boss = try Visitor(port: port)
            try boss.hear("PAUSED")
            try boss.say("auctioneer \(Self.token)\nresume")
            try boss.hear("OK resume")
            try boss.hear("RESUMED")
            try boss.hear("COUNTDOWN 60")
        }
    }

    @Test("the token file can be read again, and an invalid one does not change the token")
    func renewed() async throws {
        try replaceFile(path, with: Array(Self.token.utf8), mode: 0o600)
        let path = path
        var settings = Settings()
        settings.auctioneerTokenFile = path
        _ = try await withServer(settings) { server, port in
            let boss = try Visitor(port: port)
            try boss.say("auctioneer \(Self.token)")
            try boss.hear("OK auctioneer")
            try replaceFile(path, with: [], mode: 0o600)
            #expect(!server.renewAndWait())
            try boss.say("pause")
            try boss.hear("OK pause")
            let other = String(Self.token.reversed())
            try replaceFile(path, with: Array(other.utf8), mode: 0o600)
            #expect(server.renewAndWait())
            try boss.say("resume")
            try boss.hear("ERROR not-auctioneer")
            try boss.say("auctioneer \(other)\nresume")
            try boss.hear("OK resume")
        }
    }

    @Test("the links of a roster follow from the stored token, or from that of the file")
    func links() throws {
        var settings = Settings()
        (settings.port, settings.drawsHostToken) = (0, true)
        (settings.classPlan, settings.roster) = (ClassPlan(), try Roster(text: "al\nbo"))
        func tokens(in folder: String) throws -> [Substring] {
            settings.data = temporary.path + "/" + folder
            let lines = try AuctionServer(settings).welcome.hosting ?? ""
            return lines.split(separator: "\n").suffix(3).map { $0.suffix(32) }
        }
        let first = try tokens(in: "one")
        #expect(Set(first).count == 3)
        #expect(try tokens(in: "one") == first)
        #expect(try Set(tokens(in: "two")).isDisjoint(with: first))
        settings.auctioneerTokenFile = path
        try replaceFile(path, with: Array(Self.token.utf8), mode: 0o600)
        let server = try AuctionServer(settings).welcome.hosting
        #expect(server?.split(separator: "\n").count == 5)
        #expect(server?.contains("#key=") == false)
        #expect(server?.contains("name=al&token=6c55cc3359e577aaa925595021db5bcf") == true)
    }

    private func settings(on disk: MemoryDisk) -> Settings {
        var settings = Settings()
        settings.rules = Rules(seconds: 60)
        settings.auctioneerTokenFile = path
        settings.data = "memory"
        settings.disk = disk
        // Some four events fill a segment.
        settings.segmentBytes = 300
        return settings
    }

    private func expect(_ reason: TokenFileError.Reason?) {
        do throws(TokenFileError) {
            _ = try AuctioneerToken(file: path)
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
        }
    }
}

extension AuctionServer {
    /// Reads the token again on the loop, and waits for that; false if it cannot be had.
    fileprivate nonisolated func renewAndWait() -> Bool {
        let outcome = Outcome()
        Task.immediate { await renew(outcome) }
        return outcome.isRenewed.withLock(when: { $0 != nil }) { $0 == true }
    }

    private func renew(_ outcome: Outcome) {
        let isRenewed = (try? renewAuctioneerToken()) != nil
        outcome.isRenewed.withLock { $0 = isRenewed }
        outcome.isRenewed.signal()
    }
}

/// What became of reading the token again; nil until it was.
private final class Outcome: Sendable {
    let isRenewed = Locked<Bool?>(nil)
}
