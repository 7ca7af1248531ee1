import Posix
import Server
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A writer with writes that hang until the test lets them go on.
private final class HangingWriter: InlineWriter {
    private struct State {
        var isDue = false
        var isAllowed = false
        var isHanging = false
        var begun = 0
    }

    private let state = Locked(State())

    func allowInline(_ isAllowed: Bool) { state.withLock { $0.isAllowed = isAllowed } }

    var isAllowed: Bool { state.withLock { $0.isAllowed } }

    var isInlineDue: Bool { state.withLock { $0.isDue } }

    func writeInline() {
        state.withLock { $0.begun += 1 }
        state.signal()
        state.withLock(when: { !$0.isHanging }) { $0.isDue = false }
    }

    /// Makes a write due, which hangs or not.
    func makeDue(isHanging: Bool) {
        state.withLock { ($0.isDue, $0.isHanging) = (true, isHanging) }
    }

    func release() {
        state.withLock { $0.isHanging = false }
        state.signal()
    }
}

/// What the turns of a loop note, on whichever thread they are.
private final class TurnNotes: Sendable {
    private struct State {
        var threads: [UInt] = []
        var turns = 0
    }

    private let state = Locked(State())

    /// Notes a turn, and returns its number, counted from 1.
    func add() -> Int {
        state.withLock { state in
            let thread = UInt(bitPattern: pthread_self().hashValue)
            if state.threads.last != thread { state.threads.append(thread) }
            state.turns += 1
            return state.turns
        }
    }

    /// The threads that had the loop, one after the other.
    var threads: [UInt] { state.withLock { $0.threads } }
}

@Suite struct WatchedLoopTests {
    @Test("the loop continues while a write hangs, and returns to its thread after it")
    func hangs() async throws {
        let (loop, writer, notes) = (try EventLoop(), HangingWriter(), TurnNotes())
        let wasAllowed = Locked<[Bool]>([])
        try await onThread {
            let watched = try WatchedLoop(loop, writer) { _, _ in
                let turn = notes.add()
                switch notes.threads.count {
                case 1 where turn == 3: writer.makeDue(isHanging: true)
                // The watcher has the loop, and the write still hangs.
                case 2:
                    wasAllowed.withLock { $0.append(writer.isAllowed) }
                    writer.release()
                case 3: loop.stop()
                default: break
                }
                return notes.threads.count == 2 ? nil : .distantPast
            }
            try watched.run()
        }
        let threads = notes.threads
        #expect(threads.count == 3 && threads[0] == threads[2] && threads[0] != threads[1])
        #expect(wasAllowed.withLock { $0.first } == false && writer.isAllowed)
    }

    @Test("a loop that is stopped while a write hangs ends without it")
    func stops() async throws {
        let (loop, writer, notes) = (try EventLoop(), HangingWriter(), TurnNotes())
        try await onThread {
            let watched = try WatchedLoop(loop, writer) { _, _ in
                if notes.add() == 1 { writer.makeDue(isHanging: true) } else { loop.stop() }
                return .distantPast
            }
            try watched.run()
        }
        #expect(writer.isInlineDue)
        writer.release()
    }

    @Test("a write that is due in the turn that stops the loop is written before the end")
    func lastWrite() async throws {
        let (loop, writer) = (try EventLoop(), HangingWriter())
        try await onThread {
            let watched = try WatchedLoop(loop, writer) { _, _ in
                writer.makeDue(isHanging: false)
                loop.stop()
                return nil
            }
            try watched.run()
        }
        #expect(!writer.isInlineDue)
    }

    @Test("what a turn throws ends the loop, whichever thread has it", arguments: [1, 2])
    func throwing(threads: Int) async throws {
        let (loop, writer, notes) = (try EventLoop(), HangingWriter(), TurnNotes())
        await #expect(throws: SystemError.self) {
            try await onThread {
                let watched = try WatchedLoop(loop, writer) { _, _ in
                    let turn = notes.add()
                    if notes.threads.count == threads { throw SystemError(code: 5, call: "turn") }
                    if turn == 1 { writer.makeDue(isHanging: true) }
                    return .distantPast
                }
                try watched.run()
            }
        }
        writer.release()
    }
}

@Suite struct WriteWatchTests {
    @Test(
        "a write is overdue after 5 ms, and the watcher sleeps as long as it can",
        arguments: [
            (0, WriteWatch.Look.sleep(milliseconds: 5)), (1, .sleep(milliseconds: 5)),
            (1_000_000, .sleep(milliseconds: 4)), (4_999_999, .sleep(milliseconds: 1)),
            (5_000_000, .takeOver), (9_000_000_000, .takeOver),
        ] as [(Int64, WriteWatch.Look)])
    func overdue(elapsed: Int64, expected: WriteWatch.Look) {
        var watch = WriteWatch()
        _ = watch.begin(at: 100)
        let look = watch.look(at: 100 + elapsed)
        #expect(look == expected)
    }

    @Test("the watcher is signalled for the first of many writes, and looks at intervals after it")
    func signals() {
        var watch = WriteWatch()
        var looks = [watch.look(at: 0)]
        var signals: [Bool] = []
        for now in [10, 20] as [Int64] {
            signals.append(watch.begin(at: now))
            watch.end()
        }
        looks.append(watch.look(at: 30))
        signals.append(watch.begin(at: 40))
        watch.end()
        looks += [watch.look(at: 50), watch.look(at: 60)]
        signals.append(watch.begin(at: 70))
        #expect(signals == [true, false, false, true])
        #expect(
            looks == [
                .sleep(milliseconds: nil), .sleep(milliseconds: 5), .sleep(milliseconds: 5),
                .sleep(milliseconds: nil),
            ])
    }

    @Test("a write that has ended is never overdue")
    func ended() {
        var watch = WriteWatch()
        _ = watch.begin(at: 0)
        watch.end()
        let look = watch.look(at: .max)
        #expect(!watch.isWriting)
        #expect(look == .sleep(milliseconds: 5))
    }
}
