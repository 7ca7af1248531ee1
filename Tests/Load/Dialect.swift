/// The protocol of a kind of server, so that different servers get the same load.
///
/// One bidder publishes to all observers. What other servers broadcast has 33 bytes, as many as a
/// usual `PRICE` line. The bidder of the auction sends and receives lines of text, also where its
/// observers receive JSON.
public struct Dialect: Sendable {
    /// The word that selects it.
    public let name: String
    /// How an observer subscribes.
    public let observer: Handshake
    /// How a bidder begins; nil if it takes a name instead, and receives its own bids.
    public let bidder: Handshake?
    /// How a bid is written.
    public let bid: BidTemplate
    /// What a bidder receives.
    public let replies: MessageFormat
    /// What an observer receives.
    public let deliveries: MessageFormat
    /// Whether observers receive the lines of text that the bidder receives too.
    public var deliversText = false
    /// The reply to a ping of the server.
    public var pong: [UInt8] = []
    /// The room that observers and bidders enter first; nil if they stay where they are.
    public var room: String?

    /// All dialects; the first is the auction's own.
    public static let all = [auction, json, webSocket, floor, redis, redisScript, nats, mqtt]
}

/// What a new connection sends, and how the reply ends.
public struct Handshake: Sendable {
    /// The bytes to send.
    public let request: [UInt8]
    private let reply: [UInt8]
    /// The bytes of the reply after those that it is recognized by.
    private let restBytes: Int
    /// What follows, or nothing.
    private let following: [Handshake]

    init(_ request: String, reply: String, restBytes: Int = 0, then next: Handshake? = nil) {
        self.init(
            Array(request.utf8), reply: Array(reply.utf8), restBytes: restBytes, then: next)
    }

    init(_ request: [UInt8], reply: [UInt8], restBytes: Int = 0, then next: Handshake? = nil) {
        self.request = request
        self.reply = reply
        self.restBytes = restBytes
        following = next.map { [$0] } ?? []
    }

    /// What to send after the reply; nil if the handshake is complete then.
    public var next: Handshake? { following.first }

    /// The index after the reply, in everything received so far; nil if it has not arrived.
    public func end(in received: Span<UInt8>) -> Int? {
        guard received.count >= reply.count + restBytes else { return nil }
        return received.withUnsafeBytes { bytes in
            let starts = 0...(bytes.count - reply.count - restBytes)
            return starts.first { bytes[$0...].starts(with: reply) }
                .map { $0 + reply.count + restBytes }
        }
    }
}

/// The text around the amount of a bid.
public struct BidTemplate: Sendable {
    private let prefix: [UInt8]
    private let suffix: [UInt8]
    private let digits: Int
    private let packetIndex: Int?

    /// Creates a template; amounts are padded with zeros to a number of digits.
    ///
    /// If each message carries an identifier of two bytes, it stands at `packetIndex`.
    init(_ prefix: [UInt8], _ suffix: [UInt8], digits: Int = 1, packetIndex: Int? = nil) {
        self.prefix = prefix
        self.suffix = suffix
        self.digits = digits
        self.packetIndex = packetIndex
    }

    init(_ prefix: String, _ suffix: String, digits: Int = 1) {
        self.init(Array(prefix.utf8), Array(suffix.utf8), digits: digits)
    }

    /// Appends the message of a bid of at least 1.
    public func append(_ amount: Int64, to bytes: inout [UInt8]) {
        let start = bytes.count
        bytes += prefix
        if let packetIndex {
            let identifier = UInt16((amount - 1) % 65_535) + 1  // 0 is not allowed
            bytes[start + packetIndex] = UInt8(identifier >> 8)
            bytes[start + packetIndex + 1] = UInt8(truncatingIfNeeded: identifier)
        }
        let number = String(amount).utf8
        bytes += repeatElement(UInt8(ascii: "0"), count: max(0, digits - number.count))
        bytes += number
        bytes += suffix
    }
}

extension Dialect {
    private static let payloadStart = "PRICE "
    private static let payloadEnd = " bench 000000001\n"
    private static let payloadBytes = 33
    private static let digits = 10

    /// The auction's own protocol, auction/1.
    ///
    /// An observer sends a line, because the server waits 300 ms for one before it greets.
    public static let auction = Dialect(
        name: "auction", observer: Handshake("ping\n", reply: "OK ping\n"), bidder: nil,
        bid: BidTemplate("bid ", "\n"), replies: auctionLines, deliveries: auctionLines,
        deliversText: true)

    /// The auction, whose observers and bidders enter a room first.
    public static func auction(inRoom room: String) -> Dialect {
        Dialect(
            name: "auction", observer: Handshake("join \(room)\nping\n", reply: "OK ping\n"),
            bidder: nil, bid: auction.bid, replies: auctionLines, deliveries: auctionLines,
            deliversText: true, room: room)
    }

    /// The auction, whose observers receive lines of JSON.
    public static let json = Dialect(
        name: "json",
        observer: Handshake("format json\nping\n", reply: jsonPong, restBytes: jsonTimeBytes + 1),
        bidder: nil, bid: auction.bid, replies: auctionLines,
        deliveries: MessageFormat(objects: auctionObjects, in: .lines))

    /// The auction, whose observers receive JSON in WebSocket frames.
    ///
    /// Source: RFC 6455, sections 4.1 and 5.2.
    public static let webSocket = Dialect(
        name: "websocket",
        observer: Handshake(
            "GET /ws HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
            reply: "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
            then: Handshake(
                maskedPing, reply: Array(jsonPong.utf8), restBytes: jsonTimeBytes)),
        bidder: nil, bid: auction.bid, replies: auctionLines,
        deliveries: MessageFormat(objects: auctionObjects, in: .webSocketFrames))

    /// A text frame with the command `ping`, whose mask is 0.
    private static let maskedPing: [UInt8] = [0x81, 0x84, 0, 0, 0, 0] + Array("ping".utf8)

    private static let jsonPong = #"{"type":"ok","content":"ping","time":""#
    private static let jsonTimeBytes = #"2026-11-22T10:00:00.000Z"}"#.utf8.count

    private static let auctionObjects: KeyValuePairs<String, MessageKind> = [
        "price\"": .delivery, "ok\"": .reply(.accepted), "error\"": .reply(.refused),
        "lot\"": .lot, "winner\"": .winner,
    ]

    private static let auctionLines = MessageFormat(lines: [
        "PRICE ": .delivery, "OK": .reply(.accepted), "ERROR too-low": .reply(.tooLow),
        "ERROR leading": .reply(.leading), "ERROR name-taken": .reply(.nameTaken),
        "ERROR room-taken": .reply(.nameTaken),
        "ERROR": .reply(.refused), "LOT ": .lot, "WINNER ": .winner,
    ])

    /// A program that sends each line to all connections, and does nothing else.
    public static let floor = Dialect(
        name: "floor", observer: floorGreeting, bidder: floorGreeting,
        bid: BidTemplate(payloadStart, payloadEnd, digits: digits),
        replies: MessageFormat(frames: ["P": (payloadBytes, .reply(.accepted))]),
        deliveries: MessageFormat(frames: ["P": (payloadBytes, .delivery)]))

    private static let floorGreeting = Handshake("", reply: "HELLO every line is sent to all\n")

    /// Publish and subscribe of Redis.
    ///
    /// Source: the Redis serialization protocol, RESP 2.
    public static let redis = Dialect(
        name: "redis", observer: redisSubscribe,
        bidder: Handshake("PING\r\n", reply: "+PONG\r\n"),
        bid: BidTemplate(
            "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$33\r\n" + payloadStart, payloadEnd + "\r\n",
            digits: digits),
        replies: MessageFormat(lines: [":": .reply(.accepted), "-": .reply(.refused)]),
        deliveries: redisMessages)

    private static let redisSubscribe = Handshake("SUBSCRIBE c\r\n", reply: ":1\r\n")
    private static let redisMessages = MessageFormat(frames: [
        "*": ("*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$33\r\n\r\n".utf8.count + payloadBytes, .delivery)
    ])

    /// The rules of the auction as a Redis script; it returns 1 for an accepted bid, else 0.
    ///
    /// Source: `SCRIPT LOAD` and `EVALSHA` of Redis.
    public static let redisScript = Dialect(
        name: "redis-script", observer: redisSubscribe,
        bidder: Handshake(
            "DEL price leader count\r\nSCRIPT LOAD \"\(script)\"\r\n",
            reply: "$40\r\n\(scriptSum)\r\n"),
        bid: BidTemplate(
            "*8\r\n$7\r\nEVALSHA\r\n$40\r\n\(scriptSum)\r\n$1\r\n3\r\n$5\r\nprice\r\n"
                + "$6\r\nleader\r\n$5\r\ncount\r\n$10\r\n",
            "\r\n$5\r\nbench\r\n", digits: digits),
        replies: MessageFormat(lines: [
            ":1": .reply(.accepted), ":0": .reply(.tooLow), "-": .reply(.refused),
        ]),
        deliveries: redisMessages)

    /// One line; Redis itself turns `\n` into a line feed.
    private static let script =
        "if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[1]) or 0) then return 0 end "
        + "redis.call('SET', KEYS[1], ARGV[1]) redis.call('SET', KEYS[2], ARGV[2]) "
        + "local count = redis.call('INCR', KEYS[3]) "
        + "redis.call('PUBLISH', 'c', "
        + "string.format('PRICE %s %s %09d', ARGV[1], ARGV[2], count) .. '\\\\n') return 1"

    /// The SHA-1 sum of the script, which is the reply to `SCRIPT LOAD`.
    private static let scriptSum = "e5527712b0450849518b1ff76109a617acaef6a3"

    /// Core NATS; the bidder is verbose, so that each message is answered with `+OK`.
    ///
    /// Source: the NATS client protocol.
    public static let nats = Dialect(
        name: "nats",
        observer: Handshake(
            "CONNECT {\"verbose\":false}\r\nSUB c 1\r\nPING\r\n", reply: "PONG\r\n"),
        bidder: Handshake("CONNECT {\"verbose\":true}\r\nPING\r\n", reply: "PONG\r\n"),
        bid: BidTemplate("PUB c 33\r\n" + payloadStart, payloadEnd + "\r\n", digits: digits),
        replies: MessageFormat(lines: [
            "+OK": .reply(.accepted), "-ERR": .reply(.refused), "PING": .ping,
        ]),
        deliveries: MessageFormat(frames: [
            "M": ("MSG c 1 33\r\n\r\n".utf8.count + payloadBytes, .delivery),
            "P": ("PING\r\n".utf8.count, .ping),
        ]),
        pong: Array("PONG\r\n".utf8))

    /// MQTT 3.1.1: observers with QoS 0, the bidder with QoS 1, without keep-alive.
    ///
    /// Source: MQTT 3.1.1, section 3.
    public static let mqtt = Dialect(
        name: "mqtt",
        observer: Handshake(
            mqttConnect + [0x82, 6, 0, 1, 0, 1, UInt8(ascii: "c"), 0], reply: [0x90, 3, 0, 1, 0]),
        bidder: Handshake(mqttConnect, reply: [0x20, 2, 0, 0]),
        bid: BidTemplate(
            [0x32, UInt8(5 + payloadBytes), 0, 1, UInt8(ascii: "c"), 0, 0]
                + Array(payloadStart.utf8),
            Array(payloadEnd.utf8), digits: digits, packetIndex: 5),
        replies: MessageFormat(frames: ["\u{40}": (4, .reply(.accepted))]),
        deliveries: MessageFormat(frames: ["\u{30}": (5 + payloadBytes, .delivery)]))

    /// A clean session without a client identifier.
    private static let mqttConnect: [UInt8] =
        [0x10, 12, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 0, 0, 0]
}
