import Posix
import Testing

@Suite struct LockedTests {
    private final class Counter: Sendable {
        let value = Locked(0)
    }

    @Test("no increment of several threads is lost")
    func exclusion() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1000 { counter.value.withLock { $0 += 1 } }
                }
            }
        }
        #expect(counter.value.withLock { $0 } == 4000)
    }
}
