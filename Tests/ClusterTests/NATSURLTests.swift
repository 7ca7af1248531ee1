import Cluster
import Testing

@Suite struct NATSURLTests {
    @Test(
        "an address has a host and a port",
        arguments: [
            ("nats://a:4223", "a", 4223), ("nats://a", "a", 4222), ("NATS://a/", "a", 4222),
            ("nats://192.0.2.1:1", "192.0.2.1", 1), ("nats://[::1]:65535", "::1", 65535),
            ("nats://[fe80::1]", "fe80::1", 4222), ("nats://n-1.example", "n-1.example", 4222),
        ])
    func address(text: String, host: String, port: UInt16) throws {
        let url = try NATSURL(text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.credentials == nil)
    }

    @Test(
        "credentials stand before the host, with escapes",
        arguments: [
            ("nats://bob:secret@a", NATSURL.Credentials.user("bob", password: "secret")),
            ("nats://bob:@a", .user("bob", password: "")),
            ("nats://bob:a:b@c@a", .user("bob", password: "a:b@c")),
            ("nats://b%40b:s%20p%2Cx@a", .user("b@b", password: "s p,x")),
            ("nats://t0ken@a", .token("t0ken")),
        ])
    func credentials(text: String, credentials: NATSURL.Credentials) throws {
        let url = try NATSURL(text)
        #expect(url.credentials == credentials)
        #expect(url.description == "nats://a:4222")
    }

    @Test func aListHasCommas() throws {
        let urls = try NATSURL.list("nats://a,nats://t@[::1]:1")
        #expect(urls.map(\.description) == ["nats://a:4222", "nats://[::1]:1"])
    }

    @Test(
        "an error says what to write, and never a password",
        arguments: [
            ("", "begins with nats://"), ("a:4222", "begins with nats://"),
            ("nats:a", "begins with nats://"), ("nats://a,", "begins with nats://"),
            ("tls://secret@a", "stunnel"), ("http://a", "write nats://"),
            ("nats://", "HOST:PORT"), ("nats://a:", "HOST:PORT"), ("nats://a:0", "HOST:PORT"),
            ("nats://a:65536", "HOST:PORT"), ("nats://a:+1", "HOST:PORT"),
            ("nats://a b", "HOST:PORT"), ("nats://a/b", "HOST:PORT"),
            ("nats://[::1]x", "HOST:PORT"), ("nats://[::1", "brackets"), ("nats://::1", "brackets"),
            ("nats://@a", "USER:PASSWORD"), ("nats://secret%4@a", "USER:PASSWORD"),
            ("nats://secret%FF@a", "USER:PASSWORD"), ("nats://:secret@a", "USER:PASSWORD"),
            ("nats://bob:secret@", "HOST:PORT"),
        ])
    func errors(text: String, part: String) {
        let error = #expect(throws: NATSURLError.self) { try NATSURL.list(text) }
        #expect(error?.description.contains(part) == true)
        #expect(error?.description.contains("secret") == false)
    }
}
