extension Dialect {
    /// MQTT 3.1.1: observers at most once, the bidder at least once, nobody kept alive.
    ///
    /// Source: MQTT 3.1.1, section 3.
    public static let mqtt = Dialect(
        "mqtt",
        observer: Entrance(
            words: connect + [0x82, 6, 0, 1, 0, 1, UInt8(ascii: "c"), 0],
            reply: [0x90, 3, 0, 1, 0]),
        bidder: Entrance(words: connect, reply: [0x20, 2, 0, 0]),
        writer: BidWriter(
            before: [0x32, UInt8(5 + payloadBytes), 0, 1, UInt8(ascii: "c"), 0, 0]
                + Array("PRICE ".utf8),
            after: Array(" bench 000000001\n".utf8), digits: 10, packetIndex: 5),
        answers: FrameAnswers(size: 4),
        deliveries: .frames(Frames(size: 5 + payloadBytes, first: "0")))

    /// A clean session without a name, which is never asked whether it is there.
    private static let connect: [UInt8] =
        [0x10, 12, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 0, 0, 0]
}
