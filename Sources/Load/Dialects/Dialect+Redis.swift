extension Dialect {
    /// Publish and subscribe of Redis.
    ///
    /// Source: the Redis serialization protocol, RESP 2.
    public static let redis = Dialect(
        "redis",
        observer: redisObserver,
        bidder: Entrance(words: "PING\r\n", reply: "+PONG\r\n"),
        writer: BidWriter(
            before: "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$33\r\nPRICE ",
            after: " bench 000000001\n\r\n", digits: 10),
        answers: LineAnswers([":": .ok, "-": .otherError]),
        deliveries: .frames(redisMessages))

    static let redisObserver = Entrance(words: "SUBSCRIBE c\r\n", reply: ":1\r\n")
    static let redisMessages = Frames(
        size: "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$33\r\n".utf8.count + payloadBytes + 2, first: "*")
}
