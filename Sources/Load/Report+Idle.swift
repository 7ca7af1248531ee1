extension Report {
    /// Creates the report of the scenario `idle`: what the server cost in so many nanoseconds.
    ///
    /// The memory is what it has more than before the observers came.
    public init(
        observers: Int, nanoseconds: Int64, lines: Int, cpuNanoseconds: Int64?, wakeUps: Int?,
        memoryGrowth: Int?
    ) {
        let seconds = Double(nanoseconds) / 1e9
        self.init(of: "idle")
        add("observers", "observers", observers)
        add("seconds", "seconds", seconds, places: 2)
        addShare(ofCore: cpuNanoseconds, in: nanoseconds)
        add(
            "server wake-ups/s", "wakeUpsPerSecond", wakeUps.map { Double($0) / seconds },
            places: 2)
        addMemory(memoryGrowth, of: observers)
        add(
            "lines heard by each", "linesEach", Double(lines) / Double(max(observers, 1)), places: 1
        )
    }

    /// Adds by how much the memory of the server grew for each observer; nothing if it is not known.
    mutating func addMemory(_ growth: Int?, of observers: Int) {
        add(
            "server memory per observer", "residentBytesPerConnection",
            growth.map { Double($0) / Double(max(observers, 1)) }, places: 1, unit: "B")
    }

    /// Adds the CPU time of the server as a share of one core; nothing if it is not known.
    mutating func addShare(ofCore cpuNanoseconds: Int64?, in nanoseconds: Int64) {
        let share = cpuNanoseconds.map { Double($0) / Double(max(nanoseconds, 1)) }
        add("server CPU", "cpuPercent", share.map { 100 * $0 }, places: 3, unit: "%")
    }
}
