import AuctionRules
import Saleroom
import TestSupport
import Testing

@Suite struct AgendaTests {
    @Test("what is due earliest is taken first, and nothing before its time")
    func order() {
        var generator = SplitMix64(seed: 7)
        var agenda = Agenda<Int64>()
        let dues = (0..<1_000).map { _ in Int64.random(in: 0..<500, using: &generator) }
        for due in dues { agenda.add(due, due: Instant(nanoseconds: due)) }
        #expect(agenda.count == 1_000)
        var taken: [Int64] = []
        for now in 0..<Int64(500) {
            while let item = agenda.takeDue(at: Instant(nanoseconds: now)) {
                #expect(item == now)
                taken.append(item)
            }
        }
        #expect(taken == dues.sorted())
        #expect(agenda.deadline == nil)
    }
}
