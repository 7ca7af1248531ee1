import AuctionRules
import Client
import TestSupport
import Testing
import Transport

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

    private func tokens(_ variables: [String: String], host: String = "host", port: UInt16 = 7777)
        -> TokenStore?
    {
        TokenStore(of: .network(host: host, port: port)) { variables[$0] }
    }

    @Test("a token is kept for its owner alone, and found again whatever the case of the name")
    func keptAndFound() throws {
        let store = try #require(tokens(["HOME": home]))
        #expect(try store.token(of: alice) == nil)
        try store.keep("secret", of: alice)
        let shouting = try #require(Bidder("ALICE"))
        #expect(try store.token(of: shouting) == "secret")
        #expect(mode(of: "/.local/state/auction/host:7777/alice") == 0o600)
        #expect(mode(of: "/.local/state/auction") == 0o700)
        #expect(mode(of: "/.local/state/auction/host:7777") == 0o700)
    }

    @Test("a newer token takes the place of the older")
    func replaced() throws {
        let store = try #require(tokens(["HOME": home]))
        try store.keep("old", of: alice)
        try store.keep("new", of: alice)
        #expect(try store.token(of: alice) == "new")
    }

    @Test("the names of this machine are one server")
    func loopback() throws {
        for host in ["localhost", "127.0.0.1", "::1"] {
            let store = try #require(tokens(["HOME": home], host: host))
            if host == "localhost" { try store.keep("secret", of: alice) }
            #expect(try store.token(of: alice) == "secret")
        }
        #expect(mode(of: "/.local/state/auction/localhost:7777/alice") == 0o600)
    }

    @Test("XDG_STATE_HOME goes before HOME, if it is absolute")
    func stateHome() throws {
        let store = try #require(
            tokens(["HOME": "/nowhere", "XDG_STATE_HOME": home], host: "../a", port: 1))
        try store.keep("secret", of: alice)
        #expect(mode(of: "/auction/..%2fa:1/alice") == 0o600)
        #expect(tokens(["XDG_STATE_HOME": "relative"]) == nil)
        #expect(tokens(["HOME": "relative"]) == nil)
        #expect(tokens([:]) == nil)
    }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat("\(home)\(path)", &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
