import Reactive
import Testing

@Suite struct RegistrationTests {
    @Test("cancelling twice and releasing is cancelling once")
    func idempotence() {
        var count = 0
        var registration: Registration? = Registration { count += 1 }
        registration?.cancel()
        registration?.cancel()
        registration = nil
        #expect(count == 1)
    }

    @Test("a registration is cancelled when it is released")
    func releasing() {
        var count = 0
        var registration: Registration? = Registration { count += 1 }
        #expect(count == 0)
        _ = registration
        registration = nil
        #expect(count == 1)
    }

    @Test("cancelling from inside the cancellation does nothing")
    func reentrancy() {
        let registrations = Registrations()
        var count = 0
        let registration = Registration {
            count += 1
            registrations.cancel()
        }
        registrations.insert(registration)
        registration.cancel()
        #expect(count == 1)
    }
}

@Suite struct RegistrationsTests {
    @Test("a bag cancels what is in it, in the order of insertion")
    func order() {
        let bag = Registrations()
        var cancelled: [Int] = []
        for number in 0..<20 { bag.insert(Registration { cancelled.append(number) }) }
        #expect(cancelled.isEmpty)
        bag.cancel()
        bag.cancel()
        #expect(cancelled == Array(0..<20))
    }

    @Test("a bag that is released cancels what is in it")
    func releasing() {
        var count = 0
        do {
            let bag = Registrations()
            bag.insert(Registration { count += 1 })
        }
        #expect(count == 1)
    }

    @Test("what is put into a cancelled bag is cancelled at once")
    func late() {
        let bag = Registrations()
        bag.cancel()
        var count = 0
        let registration = Registration { count += 1 }
        bag.insert(registration)
        #expect(count == 1)
    }

    @Test("a bag forgets registrations that are over")
    func forgetting() {
        let bag = Registrations()
        weak var first: Registration?
        for number in 0..<100 {
            let registration = Registration {}
            if number == 0 { first = registration }
            bag.insert(registration)
            registration.cancel()
        }
        #expect(first == nil)
    }
}
