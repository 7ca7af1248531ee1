/// What came of a plan.
package struct Report: Sendable {
    /// The promise that was not kept, if there is one.
    package let violation: Violation?
    /// How much time passed in it.
    package let duration: Duration
    /// How many events the journal has in the end.
    package let events: Int
    /// How many lines were heard.
    package let heard: Int
    /// What happened, a line each, if that was asked for.
    package let trace: [String]
}

extension Plan {
    /// Plays it to its end, or to the first promise that is not kept.
    package func play(keepsTrace: Bool = false) -> Report {
        let world = World(self, keepsTrace: keepsTrace)
        world.run()
        return Report(
            violation: world.witness.violation, duration: world.now, events: world.witness.events,
            heard: world.witness.heard, trace: world.lines)
    }

    /// The same plan without what its failure does not need: a smaller one breaks the same promise.
    ///
    /// Plays at most so many plans to find it.
    package func shrunk(plays: Int = 600) -> Plan {
        guard let promise = play().violation?.promise else { return self }
        let breaks = { (plan: Plan) in plan.play().violation?.promise == promise }
        var smallest = breaks(calm) ? calm : self
        smallest.actions = smallest.actions.shrunk(tries: plays) { actions in
            var plan = smallest
            plan.actions = actions
            return breaks(plan)
        }
        return smallest
    }

    /// The same with bytes that come whole and at once, and a quick disk.
    private var calm: Plan {
        var calm = self
        calm.terms.isCalm = true
        return calm
    }
}

extension Array {
    /// The array without elements that a failure does not need, large pieces left out first.
    ///
    /// Looks at most so many times whether a smaller one still fails.
    package func shrunk(tries: Int, while fails: ([Element]) -> Bool) -> [Element] {
        var (smallest, left) = (self, tries)
        var length = (count + 1) / 2
        while length > 0, left > 0 {
            var start = 0
            while start < smallest.count, left > 0 {
                var candidate = smallest
                candidate.removeSubrange(start..<Swift.min(start + length, smallest.count))
                left -= 1
                if fails(candidate) { smallest = candidate } else { start += length }
            }
            length /= 2
        }
        return smallest
    }
}
