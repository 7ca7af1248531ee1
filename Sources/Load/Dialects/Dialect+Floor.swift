extension Dialect {
    /// The program that does no more than read and send: lines of 33 bytes, and all hear each.
    ///
    /// It greets with such a line; a bidder's own line is the answer to it.
    public static let floor = Dialect(
        "floor",
        observer: floorEntrance,
        bidder: floorEntrance,
        writer: BidWriter(before: "PRICE ", after: " bench 000000001\n", digits: 10),
        answers: FrameAnswers(size: payloadBytes),
        deliveries: .frames(Frames(size: payloadBytes, first: "P")))

    private static let floorEntrance = Entrance(reply: "HELLO everybody hears every line\n")
}
