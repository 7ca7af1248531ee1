import Cluster
import TestSupport
import Testing

@Suite struct NATSSessionTests {
    private static let info =
        #"INFO {"server_id":"NDQC","server_name":"s1","version":"2.15.1","proto":1,"host":"127.0.0.1""#
        + #","port":14331,"headers":true,"max_payload":1048576,"jetstream":true,"client_id":20,"#
        + #""cluster":"C1","domain":"hub","connect_urls":["127.0.0.1:14331"]} "# + "\r\n"
    private static let heartbeat =
        "HMSG _DELIVER.one.1 2 75 75\r\nNATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 3\r\n"
        + "Nats-Last-Stream: 3\r\n\r\n\r\n"
    private static let delivery =
        "HMSG auction.log.main 2 $JS.ACK.auction.ML9q.1.2.2.1795.1 53 62\r\n"
        + "NATS/1.0\r\nNats-Msg-Id:  a-2 \r\nAuction-Kind: owner\r\n\r\n+ 17 BID\n\r\n"

    private func session(
        _ credentials: NATSURL.Credentials? = nil, messageLimit: Int = 1 << 20
    ) -> NATSSession {
        NATSSession(credentials, name: "one", version: "1", messageLimit: messageLimit)
    }

    private func connected(messageLimit: Int = 1 << 20) throws -> NATSSession {
        var session = session(messageLimit: messageLimit)
        try session.receive(Self.info + "PONG\r\n")
        _ = session.takeOutput()
        _ = session.nextEvent()
        return session
    }

    @Test func theClientIsAnnouncedOnceTheServerHasSaidWhatItIs() throws {
        var session = session()
        session.send(.subscribe("a.*", number: 7))
        #expect(session.takeOutput().isEmpty)
        try session.receive(Self.info)
        #expect(
            session.outputText() == #"CONNECT {"verbose":false,"pedantic":false,"headers":true,"#
                + #""no_responders":true,"echo":true,"lang":"swift","version":"1","name":"one"}"#
                + "\r\nPING\r\nSUB a.* 7\r\n")
        #expect(session.nextEvent() == nil)
        try session.receive("PONG\r\n")
        guard case .connected(let server)? = session.nextEvent() else {
            Issue.record("the server accepted the client")
            return
        }
        #expect(server.name == "s1")
        #expect(server.version == "2.15.1")
        #expect(server.maxPayload == 1_048_576)
        #expect(server.cluster == "C1")
    }

    @Test(
        "credentials are announced",
        arguments: [
            (NATSURL.Credentials.user("b\"ob", password: "s p"), #""user":"b\"ob","pass":"s p"}"#),
            (.token("t"), #""auth_token":"t"}"#),
        ])
    func credentials(credentials: NATSURL.Credentials, part: String) throws {
        var session = session(credentials)
        try session.receive(Self.info)
        #expect(session.outputText().contains(part))
    }

    @Test(
        "commands are printed",
        arguments: [
            (NATSCommand.unsubscribe(number: 7), "UNSUB 7\r\n"),
            (.publish(NATSMessage("a.b")), "PUB a.b 0\r\n\r\n"),
            (.publish(NATSMessage("a", reply: "r", payload: [120])), "PUB a r 1\r\nx\r\n"),
            (
                .publish(NATSMessage("a", headers: [.init("N", "é"), .init("M", "")])),
                "HPUB a 24 24\r\nNATS/1.0\r\nN: é\r\nM: \r\n\r\n\r\n"
            ),
            (
                .publish(NATSMessage("a", reply: "r", headers: [.init("N", "1")])),
                "HPUB a r 18 18\r\nNATS/1.0\r\nN: 1\r\n\r\n\r\n"
            ),
        ])
    func commands(command: NATSCommand, text: String) throws {
        var session = try connected()
        session.send(command)
        #expect(session.outputText() == text)
    }

    @Test(
        "a server without what the auction needs is refused, with what to do",
        arguments: [
            (#""version":"2.15.1""#, #""version":"2.11.9""#, "and 2.12 or newer is needed"),
            (#""version":"2.15.1""#, #""version":"1.99.0""#, "and 2.12 or newer is needed"),
            (#""version":"2.15.1""#, #""version":"new""#, "and 2.12 or newer is needed"),
            (#""jetstream":true"#, #""jetstream":false"#, "has no JetStream: add `jetstream {"),
            (#""headers":true"#, #""headers":false"#, "does not support headers: remove"),
            (#""proto":1"#, #""tls_required":true"#, "on both sides"),
        ])
    func unusableServers(part: String, other: String, reason: String) throws {
        var session = session()
        let info = Self.info.replacing(part, with: other)
        let problem = #expect(throws: NATSProblem.self) { try session.receive(info) }
        #expect(problem?.isLasting == true)
        #expect(problem?.description.contains(reason) == true)
        #expect(session.nextEvent() == nil)
    }

    @Test func anyCutOfTheBytesGivesTheSameEvents() throws {
        let text =
            Self.info + "PONG\r\nPING\r\n" + Self.heartbeat + "+OK\r\n" + Self.delivery
            + "MSG a.b 9 3\r\n\r\nx\r\n"
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var session = session()
            try session.receive(bytes.span.extracting(first: cut))
            try session.receive(bytes.span.extracting(droppingFirst: cut))
            expectEvents(of: &session)
        }
        var session = session()
        for byte in bytes { try session.receive([byte].span) }
        expectEvents(of: &session)
    }

    private func expectEvents(of session: inout NATSSession) {
        #expect(session.outputText().hasSuffix("PING\r\nPONG\r\n"))
        guard case .connected? = session.nextEvent() else {
            Issue.record("the first event is `connected`")
            return
        }
        var heartbeat = NATSMessage(
            "_DELIVER.one.1",
            headers: [.init("Nats-Last-Consumer", "3"), .init("Nats-Last-Stream", "3")])
        heartbeat.status = 100
        #expect(session.nextEvent() == .message(heartbeat, subscription: 2))
        let delivery = NATSMessage(
            "auction.log.main", reply: "$JS.ACK.auction.ML9q.1.2.2.1795.1",
            headers: [.init("Nats-Msg-Id", "a-2"), .init("Auction-Kind", "owner")],
            payload: Array("+ 17 BID\n".utf8))
        #expect(session.nextEvent() == .message(delivery, subscription: 2))
        let plain = NATSMessage("a.b", payload: Array("\r\nx".utf8))
        #expect(session.nextEvent() == .message(plain, subscription: 9))
        #expect(session.nextEvent() == nil)
    }

    @Test func aPingIsAnsweredByAnEvent() throws {
        var session = try connected()
        session.ping()
        #expect(session.outputText() == "PING\r\n")
        try session.receive("PONG\r\n")
        #expect(session.nextEvent() == .pong)
    }

    @Test(
        "a refusal that keeps the connection is an event",
        arguments: [
            #"Permissions Violation for Subscription to "b.x""#,
            #"Permissions Violation for Publish to "zz.y""#, "Invalid Subject",
        ])
    func refusals(text: String) throws {
        var session = try connected()
        try session.receive("-ERR '\(text)'\r\nPING\r\n")
        #expect(session.nextEvent() == .refused(text))
        #expect(session.outputText() == "PONG\r\n")
    }

    @Test func anyOtherErrorOfTheServerEndsTheSession() throws {
        var session = try connected()
        let problem = NATSProblem.refused("Stale Connection")
        #expect(throws: problem) {
            try session.receive("MSG a 1 0\r\n\r\n-ERR 'Stale Connection'\r\n")
        }
        #expect(throws: problem) { try session.receive("PING\r\n") }
        #expect(session.nextEvent() == .message(NATSMessage("a"), subscription: 1))
    }

    @Test func withoutCredentialsARefusalSaysWhatToWrite() throws {
        for (credentials, hasHint) in [(nil, true), (NATSURL.Credentials.token("t"), false)] {
            var session = session(credentials)
            try session.receive(Self.info)
            let problem = #expect(throws: NATSProblem.self) {
                try session.receive("-ERR 'Authorization Violation'\r\n")
            }
            #expect(problem?.description.contains("USER:PASSWORD") == hasHint)
        }
    }

    @Test(
        "a server that is unfit is refused with a sentence",
        arguments: [
            (#"INFO {"server_name":"s","version":"1","max_payload":0}"#, "malformed"),
            ("INFO x", "malformed"), ("PING", "did not begin"), ("HTTP/1.1 400 Bad", "HTTP/1.1"),
            ("", "''"),
        ])
    func unfitServers(line: String, part: String) {
        var session = session()
        let problem = #expect(throws: NATSProblem.self) { try session.receive(line + "\r\n") }
        #expect(problem?.description.contains(part) == true)
    }

    @Test(
        "malformed operations end the session",
        arguments: [
            "PING\n", "FOO\r\n", "MSG\r\n", "MSG a 1\r\n", "MSG a x 1\r\n", "MSG a 1 -1\r\n",
            "MSG a 1 r r 1\r\n", "MSG a 1 9223372036854775808\r\n", "MSG a 1 101\r\n",
            "MSG a 1 1\r\nxyz", "HMSG a 1 2\r\n", "HMSG a 1 5 4\r\n", "HMSG a 1 2 2\r\n\r\n\r\n",
            "HMSG a 1 12 12\r\nNATS/1.0\r\n\r\r\r\n", "HMSG a 1 12 12\r\nNATS/2.0\r\n\r\n\r\n",
            "HMSG a 1 15 15\r\nNATS/1.0 1x\r\n\r\n\r\n",
            "HMSG a 1 18 18\r\nNATS/1.0\r\n: 1 \r\n\r\n\r\n",
            "HMSG a 1 18 18\r\nNATS/1.0\r\nN  1\r\n\r\n\r\n",
            "HMSG a 1 16 16\r\nNATS/1.0\r\nN:1\n\r\n\r\n",
            String(repeating: "x", count: 4097),
            "INFO " + String(repeating: "x", count: 65_600),
        ])
    func malformed(text: String) throws {
        var session = try connected(messageLimit: 100)
        let problem = #expect(throws: NATSProblem.self) { try session.receive(text) }
        #expect(problem?.description.isEmpty == false)
        #expect(session.nextEvent() == nil)
    }

    @Test func aLargeMessageComesInManyPieces() throws {
        var session = try connected()
        let payload = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let bytes = Array("MSG a 1 \(payload.count)\r\n".utf8) + payload + Array("\r\n".utf8)
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            #expect(session.nextEvent() == nil)
            let piece = bytes[start..<min(start + 4096, bytes.count)]
            try session.receive(piece.span)
        }
        let message = NATSMessage("a", payload: payload)
        #expect(session.nextEvent() == .message(message, subscription: 1))
    }

    @Test(arguments: 0..<400 as Range<UInt64>)
    func randomBytesNeverTrap(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var bytes = Array((Self.info + "PONG\r\n" + Self.heartbeat + Self.delivery).utf8)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            switch seed % 3 {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[index] = Array("\r\n :0129".utf8).randomElement(using: &generator) ?? 0
            default: bytes.remove(at: index)
            }
        }
        var session = session()
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...60, using: &generator)
            let piece = rest.prefix(count)
            guard (try? session.receive(piece.span)) != nil else { break }
            rest = rest.dropFirst(count)
        }
        while case .message(let message, _)? = session.nextEvent() {
            _ = (Delivery(message), ConsumerStatus(message), try? StoredMessage(message))
        }
    }
}

extension NATSSession {
    fileprivate mutating func receive(_ text: String) throws {
        try receive(Array(text.utf8).span)
    }

    fileprivate mutating func outputText() -> String {
        String(decoding: takeOutput(), as: UTF8.self)
    }
}
