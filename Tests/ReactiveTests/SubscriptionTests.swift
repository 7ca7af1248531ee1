import Reactive
import Testing

@Suite struct SubscriptionTests {
    @Test("cancelling twice and releasing is cancelling once")
    func idempotence() {
        var count = 0
        var subscription: Subscription? = Subscription { count += 1 }
        subscription?.cancel()
        subscription?.cancel()
        subscription = nil
        #expect(count == 1)
    }

    @Test("a subscription is cancelled when it is released")
    func releasing() {
        var count = 0
        var subscription: Subscription? = Subscription { count += 1 }
        #expect(count == 0)
        _ = subscription
        subscription = nil
        #expect(count == 1)
    }

    @Test("cancelling from inside the cancellation does nothing")
    func reentrancy() {
        let bag = SubscriptionBag()
        var count = 0
        let subscription = Subscription {
            count += 1
            bag.cancel()
        }
        bag.insert(subscription)
        subscription.cancel()
        #expect(count == 1)
    }
}

@Suite struct SubscriptionBagTests {
    @Test("a bag cancels what is in it, in the order of insertion")
    func order() {
        let bag = SubscriptionBag()
        var cancelled: [Int] = []
        for number in 0..<20 { bag.insert(Subscription { cancelled.append(number) }) }
        #expect(cancelled.isEmpty)
        bag.cancel()
        bag.cancel()
        #expect(cancelled == Array(0..<20))
    }

    @Test("a bag that is released cancels what is in it")
    func releasing() {
        var count = 0
        do {
            let bag = SubscriptionBag()
            bag.insert(Subscription { count += 1 })
        }
        #expect(count == 1)
    }

    @Test("what is put into a cancelled bag is cancelled at once")
    func late() {
        let bag = SubscriptionBag()
        bag.cancel()
        var count = 0
        let subscription = Subscription { count += 1 }
        bag.insert(subscription)
        #expect(count == 1)
    }

    @Test("a bag forgets bag that are over")
    func forgetting() {
        let bag = SubscriptionBag()
        weak var first: Subscription?
        for number in 0..<100 {
            let subscription = Subscription {}
            if number == 0 { first = subscription }
            bag.insert(subscription)
            subscription.cancel()
        }
        #expect(first == nil)
    }
}
