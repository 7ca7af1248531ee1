import MarbleSupport
import Reactive
import Testing

@Suite struct SignalSourcesTests {
    @Test("the simple sources emit all their events at once")
    func sources() {
        Marbles("= |").expect(.empty)
        Marbles("= ---").expect(.never)
        Marbles("= #").expect(.failed(Broken()))
        Marbles("= (ab|)").expect(.of("a", "b"))
    }

    @Test("a list of values is emitted in order, until it is cancelled")
    func list() {
        let bag = SubscriptionBag()
        var told = ""
        Signal<Character>.of("a", "b", "c").observe(in: bag) { value in
            told.append(value)
            if value == "b" { bag.cancel() }
        }
        #expect(told == "ab")
    }
}
