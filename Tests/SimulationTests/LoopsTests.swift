import Simulation
import Testing

/// What the harness needs to hold several loops against the promises.
@Suite("Loops")
struct LoopsTests {
    @Test("bytes are unheard from their arrival until the room was given so many")
    func unheard() {
        var unheard = UnheardBytes()
        unheard.add(3, at: .seconds(1))
        unheard.add(0, at: .seconds(2))
        unheard.add(4, at: .seconds(5))
        #expect(unheard.contains(from: .zero, before: .seconds(2)))
        unheard.take(2)
        #expect(unheard.contains(from: .zero, before: .seconds(2)))
        unheard.take(1)
        #expect(!unheard.contains(from: .zero, before: .seconds(5)))
        #expect(unheard.contains(from: .zero, before: .seconds(6)))
        #expect(unheard.contains(from: .seconds(5), before: .seconds(6)))
        #expect(!unheard.contains(from: .seconds(6), before: .seconds(7)))
        unheard.take(4)
        #expect(!unheard.contains(from: .zero, before: .seconds(100)))
    }

    @Test("the time of a lot may stand still and not go back, and begins anew with the next")
    func elapsed() {
        var clock = RoomClock(seconds: 5)
        let first = [3, 3, 8].map { clock.show(elapsed: .seconds($0)) }
        #expect(first == [true, true, true])
        let back = clock.show(elapsed: .seconds(7))
        #expect(!back)
        clock.lot()
        let next = clock.show(elapsed: .zero)
        #expect(next)
    }

    @Test("the time that is left falls, or begins anew with the full seconds")
    func remaining() {
        var clock = RoomClock(seconds: 5)
        let told = [5, 4, 4, 5, 2, 3].map { clock.show(remaining: .seconds($0)) }
        #expect(told == [true, true, true, true, true, false])
    }

    @Test("no more than the full seconds may be left")
    func full() {
        let clock = RoomClock(seconds: 5)
        #expect(clock.mayRemain(.seconds(5)))
        #expect(!clock.mayRemain(.seconds(5) + .nanoseconds(1)))
    }

    @Test("the hammer's instant is the end of the full seconds, from when they were told")
    func hammer() {
        var pace = Pace(seconds: 3)
        pace.price(seq: 2)
        #expect(pace.hammerInstant == nil)
        pace.told(upTo: 2, at: .seconds(10))
        #expect(pace.hammerInstant == .seconds(13))
        pace.hammer()
        #expect(pace.hammerInstant == nil)
    }

    @Test("plans are played on one, two and three loops")
    func loops() {
        #expect(Set((1...30 as ClosedRange<UInt64>).map { Plan(seed: $0).loops }) == [1, 2, 3])
    }
}
