import Auction
import Basics
import House
import TestSupport
import Testing

@Suite struct InputBufferTests {
    private let alice = SessionID(rawValue: 1)
    private let bob = SessionID(rawValue: 2)

    private func instant(_ milliseconds: Int64) -> Instant {
        Instant(nanoseconds: milliseconds * 1_000_000)
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("stored input is ready when it is due and the answers are sent, in either order")
    func both() {
        for isSentFirst in [true, false] {
            var buffer = InputBuffer()
            let number = buffer.keep(bytes("ping"), of: alice, until: instant(5))
            #expect(buffer.deadline == instant(5))
            if isSentFirst {
                buffer.sent(alice, number: number)
            } else {
                buffer.expire(at: instant(5))
            }
            #expect(!buffer.mayHaveReady && buffer.popReady() == nil)
            if isSentFirst {
                buffer.expire(at: instant(5))
            } else {
                buffer.sent(alice, number: number)
            }
            #expect(buffer.mayHaveReady)
            #expect(buffer.popReady()?.input.bytes == bytes("ping"))
            #expect(buffer.count == 0)
            #expect(buffer.popReady() == nil)
        }
    }

    @Test("input without a due time is ready when the answers are sent")
    func sent() {
        var buffer = InputBuffer()
        let number = buffer.keep(bytes("ping"), of: alice, until: nil)
        #expect(buffer.deadline == nil)
        buffer.sent(alice, number: number)
        buffer.sent(alice, number: number)
        #expect(buffer.popReady()?.id == alice)
        #expect(buffer.popReady() == nil)
    }

    @Test("the confirmation of an earlier part does not release a later one")
    func earlier() {
        var buffer = InputBuffer()
        let first = buffer.keep(bytes("a"), of: alice, until: nil)
        buffer.sent(alice, number: first)
        #expect(buffer.popReady()?.input.bytes == bytes("a"))
        let second = buffer.keep(bytes("b"), of: alice, until: nil)
        buffer.sent(alice, number: first)
        #expect(buffer.popReady() == nil)
        buffer.sent(alice, number: second)
        #expect(buffer.popReady()?.input.bytes == bytes("b"))
    }

    @Test("more bytes and the end follow stored input, if there is some")
    func appending() {
        var buffer = InputBuffer()
        var isKept = [buffer.append(bytes("x")[...], of: alice), buffer.end(alice)]
        let number = buffer.keep(bytes("pi"), of: alice, until: nil)
        isKept += [buffer.append(bytes("ng")[...], of: alice), buffer.end(alice)]
        #expect(isKept == [false, false, true, true])
        buffer.sent(alice, number: number)
        let input = buffer.popReady()?.input
        #expect(input?.bytes == bytes("ping"))
        #expect(input?.hasEnded == true)
    }

    @Test("input that is stored again waits again, and an old time does not count")
    func again() {
        var buffer = InputBuffer()
        _ = buffer.keep(bytes("a"), of: alice, until: instant(5))
        buffer.remove(alice)
        let number = buffer.keep(bytes("b"), of: alice, until: instant(9))
        buffer.sent(alice, number: number)
        buffer.expire(at: instant(5))
        #expect(buffer.popReady() == nil)
        buffer.expire(at: instant(9))
        #expect(buffer.popReady()?.input.bytes == bytes("b"))
    }

    @Test("all input is ready in the order of its times, however much there is")
    func order() {
        var random = SplitMix64(seed: 1)
        var buffer = InputBuffer()
        let times = (0..<2000).map { Int64($0) }.shuffled(using: &random)
        for time in times {
            let id = SessionID(rawValue: UInt64(time))
            let number = buffer.keep(bytes("x"), of: id, until: instant(time))
            buffer.sent(id, number: number)
        }
        var heard: [UInt64] = []
        for time in stride(from: Int64(0), to: 2000, by: 7) {
            buffer.expire(at: instant(time))
            while let id = buffer.popReady()?.id {
                #expect(Int64(id.rawValue) <= time)
                heard.append(id.rawValue)
            }
        }
        #expect(heard == heard.sorted())
        #expect(heard.count == 1996)
    }
}
