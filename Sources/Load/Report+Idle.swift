extension Report {
    /// Creates the report of the scenario `idle`: what the server cost in so many nanoseconds.
    ///
    /// The memory is what it has more than before the observers came.
    public init(
        observers: Int, nanoseconds: Int64, lines: Int, cpuNanoseconds: Int64?, wakeUps: Int?,
        memoryGrowth: Int?
    ) {
        let observersOrOne = Double(max(observers, 1))
        let seconds = Double(nanoseconds) / 1e9
        self.init(of: "idle")
        add("observers", "observers", observers)
        add("seconds", "seconds", seconds, places: 2)
        add(
            "server CPU", "cpuPercent",
            cpuNanoseconds.map { 100 * Double($0) / Double(nanoseconds) }, places: 3, unit: "%")
        add(
            "server wake-ups/s", "wakeUpsPerSecond", wakeUps.map { Double($0) / seconds },
            places: 2)
        add(
            "server memory an observer", "bytesPerObserver",
            memoryGrowth.map { Double($0) / observersOrOne }, places: 1, unit: "B")
        add("lines heard by each", "linesEach", Double(lines) / observersOrOne, places: 1)
    }
}
