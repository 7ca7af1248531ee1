import BidderView
import Reactive
import Testing

@Suite struct SignalSpinnerTests {
    @Test("a spinner turns ten times a second while anything is loading")
    func turns() {
        let timeline = Timeline()
        let (one, other) = (Subject(false), Subject<Bool>())
        var told: [Int?] = []
        let subscription = Signal.spinner(while: [one.signal, other.signal], on: timeline)
            .observe { told.append($0) }
        #expect(told == [nil])
        one.notify(true)
        timeline.advance(to: .milliseconds(250))
        other.notify(true)
        one.notify(false)
        #expect(told == [nil, 0, 1, 2])
        timeline.advance(to: .milliseconds(300))
        other.notify(false)
        #expect(told == [nil, 0, 1, 2, 3, nil])
        #expect(timeline.nextDeadline == nil)
        subscription.cancel()
    }
}
