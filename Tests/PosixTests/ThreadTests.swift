import Posix
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ThreadTests {
    private final class Shared: Sendable {
        let value = Locked(0)
    }

    @Test("a thread runs beside the others, and has ended when it is joined")
    func joins() async throws {
        let shared = Shared()
        try await onThread {
            let thread = try Thread { shared.value.withLock { $0 = 1 } }
            thread.join()
        }
        #expect(shared.value.withLock { $0 } == 1)
    }

    @Test("a thread leaves every signal to the others, but those of its own faults")
    func signals() async throws {
        let shared = Shared()
        try await onThread {
            let before = Self.blocked
            let thread = try Thread {
                shared.value.withLock {
                    $0 = Self.blocked == [true, true, true, false, false] ? 1 : 2
                }
            }
            thread.join()
            #expect(Self.blocked == before)
        }
        #expect(shared.value.withLock { $0 } == 1)
    }

    private static var blocked: [Bool] {
        var blocked = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &blocked)
        return [SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGILL].map { sigismember(&blocked, $0) == 1 }
    }

    @Test("a wait for a condition ends when it holds, and not before")
    func waits() async throws {
        let shared = Shared()
        try await onThread {
            let thread = try Thread {
                for _ in 1...3 {
                    shared.value.withLock { $0 += 1 }
                    shared.value.signal()
                }
            }
            let seen = shared.value.withLock(when: { $0 >= 3 }) { $0 }
            thread.join()
            #expect(seen == 3)
        }
    }

    @Test("no increment of several threads is lost")
    func exclusion() async {
        let shared = Shared()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1000 { shared.value.withLock { $0 += 1 } }
                }
            }
        }
        #expect(shared.value.withLock { $0 } == 4000)
    }
}
