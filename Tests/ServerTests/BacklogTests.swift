import AuctionRules
import Saleroom
import Server
import TestSupport
import Testing

@Suite struct BacklogTests {
    private let alice = SessionID(rawValue: 1)
    private let bob = SessionID(rawValue: 2)

    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("what is kept is heard when it is due and the answers are sent, whichever comes first")
    func both() {
        for isSentFirst in [true, false] {
            var backlog = Backlog()
            let number = backlog.keep(bytes("ping"), of: alice, until: instant(5))
            #expect(backlog.deadline == instant(5))
            if isSentFirst {
                backlog.sent(alice, number: number)
            } else {
                backlog.expire(at: instant(5))
            }
            #expect(backlog.takeReady() == nil)
            if isSentFirst {
                backlog.expire(at: instant(5))
            } else {
                backlog.sent(alice, number: number)
            }
            #expect(backlog.hasReady)
            #expect(backlog.takeReady()?.unheard.bytes == bytes("ping"))
            #expect(backlog.count == 0)
            #expect(backlog.takeReady() == nil)
        }
    }

    @Test("without a due time what was sent is enough")
    func sent() {
        var backlog = Backlog()
        let number = backlog.keep(bytes("ping"), of: alice, until: nil)
        #expect(backlog.deadline == nil)
        backlog.sent(alice, number: number)
        backlog.sent(alice, number: number)
        #expect(backlog.takeReady()?.id == alice)
        #expect(backlog.takeReady() == nil)
    }

    @Test("the confirmation of an earlier part does not release a later one")
    func earlier() {
        var backlog = Backlog()
        let first = backlog.keep(bytes("a"), of: alice, until: nil)
        backlog.sent(alice, number: first)
        #expect(backlog.takeReady()?.unheard.bytes == bytes("a"))
        let second = backlog.keep(bytes("b"), of: alice, until: nil)
        backlog.sent(alice, number: first)
        #expect(backlog.takeReady() == nil)
        backlog.sent(alice, number: second)
        #expect(backlog.takeReady()?.unheard.bytes == bytes("b"))
    }

    @Test("more bytes and the end go behind what is kept, where something is")
    func appending() {
        var backlog = Backlog()
        var isKept = [backlog.append(bytes("x")[...], of: alice), backlog.end(alice)]
        let number = backlog.keep(bytes("pi"), of: alice, until: nil)
        isKept += [backlog.append(bytes("ng")[...], of: alice), backlog.end(alice)]
        #expect(isKept == [false, false, true, true])
        backlog.sent(alice, number: number)
        let unheard = backlog.takeReady()?.unheard
        #expect(unheard?.bytes == bytes("ping"))
        #expect(unheard?.hasEnded == true)
    }

    @Test("who is kept again waits again, and an old time does not count")
    func again() {
        var backlog = Backlog()
        _ = backlog.keep(bytes("a"), of: alice, until: instant(5))
        backlog.remove(alice)
        let number = backlog.keep(bytes("b"), of: alice, until: instant(9))
        backlog.sent(alice, number: number)
        backlog.expire(at: instant(5))
        #expect(backlog.takeReady() == nil)
        backlog.expire(at: instant(9))
        #expect(backlog.takeReady()?.unheard.bytes == bytes("b"))
    }

    @Test("all are heard in the order of their times, however many they are")
    func order() {
        var random = SplitMix64(seed: 1)
        var backlog = Backlog()
        let times = (0..<2000).map { Int64($0) }.shuffled(using: &random)
        for time in times {
            let id = SessionID(rawValue: UInt64(time))
            let number = backlog.keep(bytes("x"), of: id, until: instant(time))
            backlog.sent(id, number: number)
        }
        var heard: [UInt64] = []
        for time in stride(from: Int64(0), to: 2000, by: 7) {
            backlog.expire(at: instant(time))
            while let id = backlog.takeReady()?.id {
                #expect(Int64(id.rawValue) <= time)
                heard.append(id.rawValue)
            }
        }
        #expect(heard == heard.sorted())
        #expect(heard.count == 1996)
    }
}
