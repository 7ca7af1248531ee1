import Auction
import Bidder
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

    private func store(
        _ variables: [String: String], host: String = "host", port: UInt16 = 7777,
        file: String? = nil
    ) -> TokenStore {
        TokenStore(at: .network(host: host, port: port), file: file) { variables[$0] }
    }

    private let serverID = Identity("k3v9")

    @Test("a token is readable by its owner alone, and found in any case of the name")
    func keptAndFound() throws {
        let store = store(["HOME": home])
        #expect(try store.token(of: alice, on: serverID) == nil)
        #expect(store.keep("secret", of: alice, on: serverID) == nil)
        let shouting = try #require(Bidder("ALICE"))
        #expect(try store.token(of: shouting, on: serverID) == "secret")
        #expect(mode(of: "/.local/state/auction/games/k3v9/alice") == 0o600)
        #expect(mode(of: "/.local/state/auction") == 0o700)
        #expect(mode(of: "/.local/state/auction/games/k3v9") == 0o700)
    }

    @Test("two servers at one address have their own tokens")
    func twoServers() throws {
        let (store, first, second) = (store(["HOME": home]), Identity("aaaa"), Identity("bbbb"))
        #expect(store.keep("first", of: alice, on: first) == nil)
        #expect(try store.token(of: alice, on: second) == nil)
        #expect(store.keep("second", of: alice, on: second) == nil)
        #expect(try store.token(of: alice, on: first) == "first")
    }

    @Test("a server has the same tokens at any address")
    func moved() throws {
        #expect(store(["HOME": home], host: "here").keep("secret", of: alice, on: serverID) == nil)
        let moved = store(["HOME": home], host: "there", port: 9)
        #expect(try moved.token(of: alice, on: serverID) == "secret")
    }

    @Test("a new token replaces an old one")
    func replaced() throws {
        let store = store(["HOME": home])
        for token in ["old", "new"] { #expect(store.keep(token, of: alice, on: serverID) == nil) }
        #expect(try store.token(of: alice, on: serverID) == "new")
    }

    @Test("without an identity, all names of this machine are one server")
    func loopback() throws {
        #expect(store(["HOME": home], host: "localhost").keep("secret", of: alice, on: nil) == nil)
        for host in ["localhost", "127.0.0.1", "::1"] {
            #expect(try store(["HOME": home], host: host).token(of: alice, on: nil) == "secret")
        }
        #expect(mode(of: "/.local/state/auction/servers/localhost:7777/alice") == 0o600)
    }

    @Test("an absolute XDG_STATE_HOME takes precedence over HOME")
    func stateHome() throws {
        let absolute = store(
            ["HOME": "/nowhere", "XDG_STATE_HOME": home], host: "../a", port: 1)
        #expect(absolute.keep("secret", of: alice, on: nil) == nil)
        #expect(mode(of: "/auction/servers/..%2fa:1/alice") == 0o600)
    }

    @Test(
        "without a home folder the token is in the complaint",
        arguments: [["XDG_STATE_HOME": "relative"], ["HOME": "relative"], [:]])
    func homeless(variables: [String: String]) throws {
        let store = store(variables)
        #expect(try store.token(of: alice, on: serverID) == nil)
        #expect(
            store.keep("secret", of: alice, on: serverID)
                == "no HOME to keep the token of Alice in; it is secret")
    }

    @Test("a token that cannot be stored is in the complaint")
    func unwritable() {
        let complaint = store(["HOME": "/dev/null"]).keep("secret", of: alice, on: serverID)
        #expect(complaint?.hasPrefix("cannot keep the token of Alice: ") == true)
        #expect(complaint?.hasSuffix("; it is secret") == true)
    }

    @Test("a token file is created for its owner alone, and never overwritten")
    func file() throws {
        let path = "\(home)/token"
        let store = store([:], file: path)
        #expect(try store.token(of: alice, on: serverID) == nil)
        #expect(store.keep("first", of: alice, on: serverID) == nil)
        #expect(mode(of: "/token") == 0o600)
        #expect(store.keep("first", of: alice, on: nil) == nil)
        #expect(
            store.keep("second", of: alice, on: serverID)
                == "\(path) has a different token and was not changed; the token of Alice on this "
                + "server is second")
        #expect(try store.token(of: alice, on: nil) == "first")
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
