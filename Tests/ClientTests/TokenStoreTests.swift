import AuctionRules
import Client
import Sale
import TestSupport
import Testing
import Transport
import Wire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct TokenStoreTests {
    private let temporary = TemporaryFolder()
    private var home: String { temporary.path }
    let alice: Bidder

    init() throws {
        alice = try #require(Bidder("Alice"))
    }

    private func tokens(
        _ variables: [String: String], of game: String? = nil, host: String = "host",
        port: UInt16 = 7777
    ) -> TokenStore? {
        TokenStore(
            of: game.flatMap { GameID($0) }, at: .network(host: host, port: port)
        ) { variables[$0] }
    }

    @Test("a token is readable by its owner alone, and found in any case of the name")
    func keptAndFound() throws {
        let store = try #require(tokens(["HOME": home], of: "k3v9"))
        #expect(try store.token(of: alice) == nil)
        try store.keep("secret", of: alice)
        let shouting = try #require(Bidder("ALICE"))
        #expect(try store.token(of: shouting) == "secret")
        #expect(mode(of: "/.local/state/auction/games/k3v9/alice") == 0o600)
        #expect(mode(of: "/.local/state/auction") == 0o700)
        #expect(mode(of: "/.local/state/auction/games/k3v9") == 0o700)
    }

    @Test("two games at one address have their own tokens")
    func twoGames() throws {
        let first = try #require(tokens(["HOME": home], of: "aaaa"))
        try first.keep("first", of: alice)
        let second = try #require(tokens(["HOME": home], of: "bbbb"))
        #expect(try second.token(of: alice) == nil)
        try second.keep("second", of: alice)
        #expect(try first.token(of: alice) == "first")
    }

    @Test("a game has the same tokens at any address")
    func moved() throws {
        let before = try #require(tokens(["HOME": home], of: "k3v9", host: "here"))
        try before.keep("secret", of: alice)
        let after = try #require(tokens(["HOME": home], of: "k3v9", host: "there", port: 9))
        #expect(try after.token(of: alice) == "secret")
    }

    @Test("a new token replaces an old one")
    func replaced() throws {
        let store = try #require(tokens(["HOME": home], of: "k3v9"))
        try store.keep("old", of: alice)
        try store.keep("new", of: alice)
        #expect(try store.token(of: alice) == "new")
    }

    @Test("without a game, all names of this machine are one server")
    func loopback() throws {
        for host in ["localhost", "127.0.0.1", "::1"] {
            let store = try #require(tokens(["HOME": home], host: host))
            if host == "localhost" { try store.keep("secret", of: alice) }
            #expect(try store.token(of: alice) == "secret")
        }
        #expect(mode(of: "/.local/state/auction/servers/localhost:7777/alice") == 0o600)
    }

    @Test("an absolute XDG_STATE_HOME takes precedence over HOME")
    func stateHome() throws {
        let store = try #require(
            tokens(["HOME": "/nowhere", "XDG_STATE_HOME": home], host: "../a", port: 1))
        try store.keep("secret", of: alice)
        #expect(mode(of: "/auction/servers/..%2fa:1/alice") == 0o600)
        #expect(tokens(["XDG_STATE_HOME": "relative"]) == nil)
        #expect(tokens(["HOME": "relative"]) == nil)
        #expect(tokens([:]) == nil)
    }

    @Test("a token file is created for its owner alone, and never overwritten")
    func file() throws {
        let file = TokenFile("\(home)/token")
        #expect(try file.token() == nil)
        #expect(try file.keep("first") == true)
        #expect(mode(of: "/token") == 0o600)
        #expect(try file.keep("first") == true)
        #expect(try file.keep("second") == false)
        #expect(try file.token() == "first")
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat("\(home)\(path)", &status) == 0 ? status.st_mode & 0o777 : nil
    }
}

@Suite struct BidderLoginTests {
    @Test(
        "a login becomes a valid name",
        arguments: [
            ("alice", "alice"), ("john.doe", "john-doe"), ("HOME\\ann", "HOME-ann"),
            ("-x", "x"), ("ann_1", "ann_1"), ("zo\u{EB}", "zo--"),
            ("an-even-longer-login-than-a-name-may-be", "an-even-longer-login-tha"),
        ])
    func name(login: String, expected: String) {
        #expect(Bidder(login: login)?.description == expected)
    }

    @Test("a login without an allowed character gives no name", arguments: ["", "-", "\u{EB}"])
    func none(login: String) {
        #expect(Bidder(login: login) == nil)
    }
}
