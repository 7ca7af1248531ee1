extension Report {
    /// Creates the report of the scenario `connect`: so many came and went in so many nanoseconds.
    ///
    /// The memory and the descriptors are those that the server has more than before.
    public init(
        connections: Int, nanoseconds: Int64, greeting: Histogram, cpuNanoseconds: Int64?,
        memoryGrowth: Int?, descriptorGrowth: Int?
    ) {
        self.init(of: "connect")
        add("connections", "connections", connections)
        add("seconds", "seconds", Double(nanoseconds) / 1e9, places: 2)
        add("connections/s", "connectionsPerSecond", connections, in: nanoseconds)
        add(
            "greeting", "greetingNanoseconds", greeting, shares: [("p50", 0.5), ("p99", 0.99)])
        add(
            "server CPU per connection", "cpuMicrosecondsPerConnection",
            cpuNanoseconds.map { Double($0) / 1e3 / Double(max(connections, 1)) }, places: 1,
            unit: "us")
        add(
            "server memory that stays", "kilobytesKept",
            memoryGrowth.map { Double($0) / 1e3 }, places: 1, unit: "kB")
        add("server descriptors that stay", "descriptorsKept", descriptorGrowth)
    }
}
