import Basics
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct EventLoopTests {
    private actor Recorder {
        private let loop: EventLoop
        private(set) var numbers: [Int] = []

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func record(_ number: Int) {
            numbers.append(number)
        }

        func enqueue(_ numbers: Range<Int>) {
            for number in numbers { Task { record(number) } }
        }
    }

    @Test("the first turn comes at once", arguments: PollerKind.allCases)
    func firstTurn(poller: PollerKind) throws {
        let loop = try EventLoop(poller: poller)
        var turns = 0
        try loop.run { ready, _ in
            #expect(ready.isEmpty)
            turns += 1
            loop.stop()
            return nil
        }
        #expect(turns == 1)
    }

    @Test("a loop may be left after a turn, and run on by another thread")
    func leaving() async throws {
        let loop = try EventLoop()
        var turns = 0
        let isStopped = try loop.run(while: { turns < 3 }) { _, _ in
            turns += 1
            return .distantPast
        }
        #expect(!isStopped && turns == 3 && loop.isIsolatingCurrentContext() == false)
        let isStoppedElsewhere = try await onThread {
            try loop.run { _, _ in
                loop.stop()
                return nil
            }
        }
        #expect(isStoppedElsewhere)
    }

    @Test(
        "a loop that is stopped in the turn after which it is left is stopped when it is run again")
    func leavingStopped() throws {
        let loop = try EventLoop()
        let isStopped = try loop.run(while: { false }) { _, _ in
            loop.stop()
            return nil
        }
        var turns = 0
        let isStoppedThen = try loop.run { _, _ in
            turns += 1
            return nil
        }
        #expect(!isStopped && isStoppedThen && turns == 0)
    }

    @Test("a turn never comes before its deadline", arguments: PollerKind.allCases)
    func deadlines(poller: PollerKind) async throws {
        try await onThread {
            let loop = try EventLoop(poller: poller)
            var deadlines: [Instant] = []
            try loop.run { _, _ in
                let now = Instant.now
                if let last = deadlines.last { #expect(now >= last) }
                if deadlines.count == 5 { loop.stop() }
                deadlines.append(now.advanced(by: .microseconds(700)))
                return deadlines.last
            }
            #expect(deadlines == deadlines.sorted())
        }
    }

    @Test(
        "a poll that slept until a deadline began before it, and the next begins after it",
        arguments: PollerKind.allCases)
    func pollInstants(poller: PollerKind) throws {
        let loop = try EventLoop(poller: poller)
        var (deadlines, sleeps) = (0, 0)
        var deadline = Instant.now.advanced(by: .milliseconds(1))
        var isPassed = false
        try loop.run { _, polledAt in
            let now = Instant.now
            #expect(polledAt <= now)
            if isPassed { #expect(polledAt >= deadline) }
            isPassed = now >= deadline
            guard isPassed else { return deadline }
            guard polledAt >= deadline else {
                sleeps += 1
                return deadline
            }
            deadlines += 1
            if deadlines == 10 { loop.stop() }
            (deadline, isPassed) = (now.advanced(by: .milliseconds(1)), false)
            return deadline
        }
        // A thread that is stopped right before its poll does not sleep in it: so once is enough.
        #expect(sleeps > 0)
    }

    @Test("jobs run in the order in which they came", arguments: PollerKind.allCases)
    func jobsInOrder(poller: PollerKind) async throws {
        try await onThread {
            let loop = try EventLoop(poller: poller)
            let recorder = Recorder(loop)
            var turns = 0
            try loop.run { _, _ in
                turns += 1
                if turns == 1 { recorder.assumeIsolated { $0.enqueue(0..<100) } }
                if turns == 2 { loop.stop() }
                return nil
            }
            try loop.run { _, _ in
                #expect(recorder.assumeIsolated { $0.numbers } == Array(0..<100))
                loop.stop()
                return nil
            }
        }
    }

    @Test("a call from another thread wakes a sleeping loop", arguments: PollerKind.allCases)
    func callFromOutside(poller: PollerKind) async throws {
        let loop = try EventLoop(poller: poller)
        let recorder = Recorder(loop)
        async let running: Void = onThread { try loop.run { _, _ in nil } }
        for number in 0..<50 { await recorder.record(number) }
        let numbers = await recorder.numbers
        #expect(numbers == Array(0..<50))
        loop.stop()
        try await running
    }

    @Test("a wake makes one more turn", arguments: PollerKind.allCases)
    func wake(poller: PollerKind) throws {
        let loop = try EventLoop(poller: poller)
        var turns = 0
        try loop.run { _, _ in
            turns += 1
            if turns < 3 { loop.wake() } else { loop.stop() }
            return nil
        }
        #expect(turns == 3)
    }

    @Test("only the loop's thread is isolated")
    func isolation() throws {
        let loop = try EventLoop()
        #expect(loop.isIsolatingCurrentContext() == false)
        try loop.run { _, _ in
            #expect(loop.isIsolatingCurrentContext() == true)
            loop.stop()
            return nil
        }
        #expect(loop.isIsolatingCurrentContext() == false)
    }

    @Test("what a turn throws ends the run")
    func throwing() throws {
        let loop = try EventLoop()
        #expect(throws: SystemError(code: EIO, call: "turn")) {
            try loop.run { _, _ in throw SystemError(code: EIO, call: "turn") }
        }
    }

    @Test("another thread must not register a descriptor while the loop runs")
    func registeringElsewhere() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop()
            try loop.run { _, _ in
                let thread = try Thread { _ = try? loop.register(0, for: .readable) }
                thread.join()
                loop.stop()
                return nil
            }
        }
    }
}

@Suite struct PollerTests {
    @Test("a descriptor is reported as it was asked for", arguments: PollerKind.allCases)
    func interests(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (ours, theirs) = try socketPair()
        let peer = Peer(theirs)
        defer { closeDescriptor(ours) }
        let handle = try hall.loop.register(ours, for: .readable)
        #expect(try hall.poll().isEmpty)
        peer.send("x")
        #expect(try hall.poll().map(\.ready) == [.readable])
        try hall.loop.change(handle, to: [.readable, .writable])
        #expect(try hall.poll().map(\.ready) == [[.readable, .writable]])
        try hall.loop.change(handle, to: [])
        #expect(try hall.poll().isEmpty)
    }

    @Test("a hang-up is readable", arguments: PollerKind.allCases)
    func hangUp(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (handle, peer) = try hall.admit()
        peer.close()
        let ready = try hall.poll()
        #expect(ready.map(\.handle) == [handle])
        #expect(ready.map(\.isReadable) == [true])
    }

    @Test("a handle is stale once its slot is used again", arguments: PollerKind.allCases)
    func staleHandle(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let (first, firstPeer) = try hall.admit()
        firstPeer.send("old")
        hall.connections.close(first)
        let (second, secondPeer) = try hall.admit()
        #expect(first != second)
        secondPeer.send("new")
        #expect(try hall.poll().map(\.handle) == [second])
        #expect(hall.read(first) == .wouldBlock)
        hall.connections.close(first)
        #expect(hall.connections.isOpen(second))
    }

    @Test("one wait reports everything that is ready, however much", arguments: PollerKind.allCases)
    func manyReady(poller: PollerKind) throws {
        let hall = try Hall(poller)
        let admitted = try (0..<200).map { _ in try hall.admit() }
        for (_, peer) in admitted { peer.send("x") }
        #expect(try Set(hall.poll().map(\.handle)) == Set(admitted.map(\.handle)))
    }

    @Test("any of many can be removed", arguments: PollerKind.allCases)
    func removal(poller: PollerKind) throws {
        let hall = try Hall(poller)
        var admitted = try (0..<20).map { _ in try hall.admit() }
        for position in [0, 7, 17, 3] {
            hall.connections.close(admitted.remove(at: min(position, admitted.count - 1)).handle)
        }
        for (_, peer) in admitted { peer.send("x") }
        #expect(try Set(hall.poll().map(\.handle)) == Set(admitted.map(\.handle)))
    }
}
