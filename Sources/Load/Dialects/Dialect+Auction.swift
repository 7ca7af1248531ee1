extension Dialect {
    /// The auction's own protocol, auction/1.
    ///
    /// An observer that says something is greeted at once, and not 20 ms later.
    public static let auction = Dialect(
        "auction",
        observer: Entrance(words: "ping\n", reply: "OK ping\n"),
        bidder: nil,
        writer: BidWriter(),
        answers: AnswerSkimmer(),
        deliveries: .prices)
}
