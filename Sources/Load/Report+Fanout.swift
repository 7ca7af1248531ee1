/// What the scenario `fanout` found.
public struct FanoutResult: Sendable {
    /// How many connections observed.
    public var observers = 0
    /// How many bids were to be made.
    public var bids = 0
    /// How many bids had no answer at most; nil at a fixed rate.
    public var outstanding: Int?
    /// How many bids were to be made a second; nil where answers set the pace.
    public var rate: Int?
    /// From the first send to the last delivery.
    public var nanoseconds: Int64 = 0
    /// The deliveries.
    public var broadcasts = Broadcasts(observers: 0)
    /// The answers.
    public var tally = Tally()
    /// What the server computed in that time; nil if that is not known.
    public var cpuNanoseconds: Int64?
    /// By how much the memory of the server grew as the observers came; nil if that is not known.
    public var residentBytes: Int?
    /// Deliveries that did not come in time, or came in another way than to the bidder.
    public var lost = 0

    /// Creates a result without figures.
    public init() {}
}

extension Report {
    /// Creates the report of the scenario `fanout`.
    public init(_ result: FanoutResult) {
        let deliveries = result.broadcasts.deliveries
        let duration = result.nanoseconds
        self.init(of: "fanout")
        add("observers", "observers", result.observers)
        add("bids", "bids", result.bids)
        add("outstanding", "outstanding", result.outstanding)
        add("rate", "rate", result.rate)
        add("seconds", "seconds", Double(duration) / 1e9, places: 2)
        add("deliveries/s", "deliveriesPerSecond", deliveries, in: duration)
        add("bids/s", "acceptedPerSecond", result.tally.accepted, in: duration)
        add("lost", "lost", result.lost)
        add(
            "server CPU per delivery", "cpuMicrosecondsPerDelivery",
            result.cpuNanoseconds.map { Double($0) / 1e3 / Double(max(1, deliveries)) }, places: 3,
            unit: "us")
        addMemory(result.residentBytes, of: result.observers)
        let brief = Self.shares.filter { $0.share == 0.5 || $0.share == 0.99 }
        add("delivery", "deliveryNanoseconds", result.broadcasts.latency)
        add("OK latency", "okLatencyNanoseconds", result.tally.latency, shares: brief)
        add("spread", "spreadNanoseconds", result.broadcasts.spread, shares: brief)
    }
}
