extension Dialect {
    /// Core NATS; the bidder is verbose, so that each message has its `+OK`.
    ///
    /// Source: the NATS client protocol.
    public static let nats = Dialect(
        "nats",
        observer: Entrance(
            words: "CONNECT {\"verbose\":false}\r\nSUB c 1\r\nPING\r\n", reply: "PONG\r\n"),
        bidder: Entrance(words: "CONNECT {\"verbose\":true}\r\nPING\r\n", reply: "PONG\r\n"),
        writer: BidWriter(
            before: "PUB c 33\r\nPRICE ", after: " bench 000000001\n\r\n", digits: 10),
        answers: LineAnswers(["+OK": .ok, "-ERR": .otherError], ping: "PING"),
        deliveries: .frames(
            Frames(
                size: "MSG c 1 33\r\n".utf8.count + payloadBytes + 2, first: "M", ping: "PING\r\n")),
        pong: "PONG\r\n")
}
