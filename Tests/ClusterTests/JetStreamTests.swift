import Basics
import Cluster
import Testing

/// The samples are answers of the server 2.15.1, shortened.
@Suite struct JetStreamTests {
    private static let consumer = OrderedConsumer(
        stream: "auction", deliverSubject: "d", firstSequence: 0)
    private static let stream = StreamConfiguration(
        name: "auction", subjects: ["auction.log.*", "auction.name.*"], replicas: 3)

    @Test(
        "a request has a subject of the API and JSON",
        arguments: [
            (JetStreamRequest.streamInfo(stream: "auction"), "STREAM.INFO.auction", ""),
            (
                .createStream(stream), "STREAM.CREATE.auction",
                #"{"name":"auction","subjects":["auction.log.*","auction.name.*"],"num_replicas":3,"#
                    + #""storage":"file","retention":"limits","discard":"new","max_age":0,"#
                    + #""allow_direct":true,"duplicate_window":120000000000}"#
            ),
            (
                .createConsumer(consumer), "CONSUMER.CREATE.auction",
                #"{"stream_name":"auction","config":{"deliver_policy":"by_start_sequence","#
                    + #""opt_start_seq":1,"deliver_subject":"d","ack_policy":"none","#
                    + #""max_deliver":1,"replay_policy":"instant","flow_control":true,"#
                    + #""idle_heartbeat":1000000000,"inactive_threshold":10000000000,"#
                    + #""mem_storage":true,"num_replicas":1}}"#
            ),
            (
                .lastMessage(subject: "auction.log.main", stream: "auction"),
                "STREAM.MSG.GET.auction", #"{"last_by_subj":"auction.log.main"}"#
            ),
            (
                .purge(subject: "auction.log.main", stream: "auction", before: 2),
                "STREAM.PURGE.auction", #"{"filter":"auction.log.main","seq":2}"#
            ),
        ])
    func requests(request: JetStreamRequest, subject: String, body: String) {
        let message = request.message(reply: "r")
        #expect(message.subject == "$JS.API." + subject)
        #expect(message.reply == "r")
        #expect(String(decoding: message.payload, as: UTF8.self) == body)
    }

    @Test(
        "an append is acknowledged",
        arguments: [
            (#"{"stream":"auction","seq":4}"#, 4),
            (#"{"stream":"auction","domain":"hub","seq":1,"duplicate": true}"#, 1),
        ])
    func acknowledgements(json: String, sequence: Int) throws {
        let ack = try PublishAck(answer(json))
        #expect(ack.stream == "auction")
        #expect(ack.sequence == sequence)
    }

    @Test(
        "an append that is refused for the expected sequence says so",
        arguments: [
            #"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 1"},"seq":0}"#,
            #"{"error":{"code":400,"err_code":10164,"description":"wrong last sequence"},"seq":0}"#,
        ])
    func wrongLastSequence(json: String) throws {
        let error = #expect(throws: JetStreamError.self) { try PublishAck(answer(json)) }
        #expect(error?.isWrongLastSequence == true)
        #expect(error?.isStreamNotFound == false)
    }

    @Test func anErrorHasItsNumbersAndItsDescription() {
        let json =
            #"{"type":"io.nats.jetstream.api.v1.stream_update_response","error":{"code":500,"#
            + #""err_code":10074,"description":"replicas \u003e 1 not supported"}}"#
        let error = JetStreamError.refused(
            code: 500, number: 10074, description: "replicas > 1 not supported")
        #expect(throws: error) { try StreamInfo(answer(json)) }
        #expect(error.description.contains("replicas > 1"))
        #expect(error.description.contains("10074"))
    }

    @Test func anErrorOfAnotherKindIsTold() {
        func number(_ number: Int) -> JetStreamError {
            .refused(code: 400, number: number, description: "")
        }
        #expect(number(10_059).isStreamNotFound && !number(10_058).isStreamNotFound)
        #expect(number(10_037).isNoMessageFound && !number(10_059).isNoMessageFound)
        #expect(JetStreamError.noResponders.number == nil)
    }

    @Test func whereNobodyListensThereIsNoResponder() {
        var message = NATSMessage("r", headers: [.init("Nats-Subject", "auction.log.main")])
        message.status = 503
        #expect(throws: JetStreamError.noResponders) { try PublishAck(message) }
    }

    @Test(
        "an answer that lacks something is malformed",
        arguments: ["", "{}", "[]", #"{"stream":"auction"}"#, #"{"seq":"1","message":{"seq":1}}"#])
    func malformed(json: String) {
        func expectMalformed<Answer>(_ read: (NATSMessage) throws(JetStreamError) -> Answer) {
            let error = #expect(throws: JetStreamError.self) { _ = try read(answer(json)) }
            guard case .malformed? = error else {
                Issue.record("the answer is malformed")
                return
            }
        }
        expectMalformed { (answer) throws(JetStreamError) in try StreamInfo(answer) }
        expectMalformed { (answer) throws(JetStreamError) in try ConsumerInfo(answer) }
        expectMalformed { (answer) throws(JetStreamError) in try PublishAck(answer) }
        expectMalformed { (answer) throws(JetStreamError) in try StoredMessage(answer) }
    }

    @Test func aStreamHasAConfigurationAndALastMessage() throws {
        let json =
            #"{"type":"io.nats.jetstream.api.v1.stream_info_response","total":0,"offset":0,"config":"#
            + #"{"name":"auction","subjects":["auction.log.*","auction.name.*"],"retention":"limits","#
            + #""max_consumers":-1,"storage":"file","num_replicas":3,"consumer_limits":{},"metadata":"#
            + #"{"_nats.level":"5"}},"created":"2026-11-27T15:57:20.227075684Z","state":{"messages":2,"#
            + #""bytes":198,"first_seq":2,"last_seq":3,"num_subjects":2,"consumer_count":2},"#
            + #""domain":"hub","cluster":{"name":"C1","raft_group":"S-R3F-y2QGq6Jd","leader":"s3","#
            + #""system_account":true,"replicas":[{"name":"s1","current":true,"active":296037903,"#
            + #""peer":"k2My6qdB"},{"name":"s2","current":false,"active":0}]}}"#
        let info = try StreamInfo(answer(json))
        #expect(info.configuration == Self.stream)
        #expect(info.lastSequence == 3)
    }

    @Test func aStreamCanBeWithoutSubjectsAndMessages() throws {
        let json =
            #"{"config":{"name":"auction","num_replicas":1},"state":{"messages":0,"first_seq":0,"#
            + #""last_seq":0}}"#
        let info = try StreamInfo(answer(json))
        #expect(info.lastSequence == 0)
        #expect(info.configuration.subjects.isEmpty)
    }

    @Test func aConsumerHasTheNameThatTheServerInvented() throws {
        let info = try ConsumerInfo(
            answer(
                #"{"stream_name":"auction","name":"ML9qWuAr","config":{"opt_start_seq":1},"#
                    + #""delivered":{"consumer_seq":0,"stream_seq":0},"num_pending":3}"#))
        #expect(info.name == "ML9qWuAr")
        #expect(info.pending == 3)
    }

    @Test func aStoredMessageHasItsHeaders() throws {
        let stored = try StoredMessage(
            answer(
                #"{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"#
                    + #""auction.log.main","seq":2,"hdrs":"TkFUUy8xLjANCk5hdHMtRXhwZWN0ZWQtTGFzdC1T"#
                    + "dWJqZWN0LVNlcXVlbmNlOiAxDQpOYXRzLU1zZy1JZDogYS0yDQpBdWN0aW9uLUtpbmQ6IG93bmV"
                    + #"yDQoNCg==","data":"KyAxNyBCSUQK","time":"2026-11-27T15:54:55.637126569Z"}}"#
            ))
        #expect(stored.sequence == 2)
        #expect(stored.message.subject == "auction.log.main")
        #expect(stored.message[header: "Nats-Msg-Id"] == "a-2")
        #expect(stored.message[header: "Auction-Kind"] == "owner")
        #expect(stored.message.payload == Array("+ 17 BID\n".utf8))
    }

    @Test(
        "Base64 of a stored message is decoded, or refused",
        arguments: [
            ("", []), ("eA==", [0x78]), ("eHk=", [0x78, 0x79]), ("eHl6", [0x78, 0x79, 0x7A]),
            ("+/A=", [0xFB, 0xF0]), ("e", nil), ("eA=", nil), ("e===", nil), ("====", nil),
            ("eA==eA==", nil), ("e-==", nil),
        ] as [(String, [UInt8]?)])
    func base64(text: String, bytes: [UInt8]?) {
        let json = #"{"message":{"subject":"a","seq":3,"data":"\#(text)"}}"#
        #expect((try? StoredMessage(answer(json)))?.message.payload == bytes)
    }

    @Test(
        "the reply subject of a delivery says where the message is",
        arguments: [
            "$JS.ACK.auction.ML9qWuAr.1.7.2.1795794895637126569.1",
            "$JS.ACK.hub.HASH.auction.ML9qWuAr.1.7.2.1795794895637126569.1",
            "$JS.ACK._.HASH.auction.ML9qWuAr.1.7.2.1795794895637126569.1.token",
        ])
    func deliveries(reply: String) {
        let delivery = Delivery(NATSMessage("auction.log.main", reply: reply))
        #expect(delivery?.stream == "auction")
        #expect(delivery?.consumer == "ML9qWuAr")
        #expect(delivery?.streamSequence == 7)
        #expect(delivery?.consumerSequence == 2)
        #expect(delivery?.storedAt == Instant(nanoseconds: 1_795_794_895_637_126_569))
        #expect(delivery?.pending == 1)
    }

    @Test(
        "any other reply subject is no delivery",
        arguments: [
            nil, "", "$JS.ACK", "$JS.ACK.a.c.1.7.2.1", "$JS.ACK.a.c.1.x.2.3.4", "a.b.c.d.1.7.2.3.4",
            "$JS.ACK.a.c.1.7.2.x.4",
            "$JS.ACK.d.a.c.1.7.2.3.4",
        ])
    func noDelivery(reply: String?) {
        #expect(Delivery(NATSMessage("a", reply: reply)) == nil)
    }

    @Test func aConsumerThatWaitsIsAnsweredOnItsSubject() {
        let subject = "$JS.FC.auction.5kFd20cc.VjKj"
        var request = NATSMessage("_DELIVER.f", reply: subject)
        #expect(ConsumerStatus(request) == nil)
        request.status = 100
        #expect(ConsumerStatus(request) == .flowControl(reply: subject))
        #expect(ConsumerStatus(request)?.answer == NATSMessage(subject))

        var heartbeat = NATSMessage(
            "_DELIVER.f",
            headers: [
                .init("Nats-Last-Consumer", "1015"), .init("Nats-Last-Stream", "1018"),
                .init("Nats-Consumer-Stalled", subject),
            ])
        heartbeat.status = 100
        let status = ConsumerStatus(heartbeat)
        #expect(
            status == .heartbeat(consumerSequence: 1015, streamSequence: 1018, stalled: subject))
        #expect(status?.answer == NATSMessage(subject))
        heartbeat.headers.removeLast()
        #expect(
            ConsumerStatus(heartbeat)
                == .heartbeat(consumerSequence: 1015, streamSequence: 1018, stalled: nil))
        #expect(ConsumerStatus(heartbeat)?.answer == nil)
    }

    private func answer(_ json: String) -> NATSMessage {
        NATSMessage("r", payload: Array(json.utf8))
    }
}
