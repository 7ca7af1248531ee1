import Posix
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ProcessFiguresTests {
    @Test("a process that does not exist has no figures")
    func missing() {
        #expect(throws: SystemError.self) { try ProcessFigures(of: .max) }
    }

    #if os(Linux)
        @Test("our own CPU time rises as we compute, and never goes back")
        func cpu() throws {
            var last = try #require(try ProcessFigures(of: getpid()).cpuNanoseconds)
            for _ in 0..<100 {
                let now = try #require(try ProcessFigures(of: getpid()).cpuNanoseconds)
                #expect(now > last)
                last = now
            }
        }

        @Test("memory that was touched is counted")
        func memory() throws {
            let before = try ProcessFigures(of: getpid())
            let bytes = [UInt8](repeating: 1, count: 64 << 20)
            let growth = try ProcessFigures(of: getpid()).since(before)
            #expect(try #require(growth.residentBytes) > 32 << 20)
            #expect(bytes.count == 64 << 20)
        }

        /// The sum falls when a thread of another test ends, so one rise of many is enough.
        @Test("waiting is counted as a wake-up")
        func wakeUps() throws {
            var rises = false
            for _ in 0..<1000 where !rises {
                let before = try #require(try ProcessFigures(of: getpid()).wakeUps)
                poll(nil, 0, 1)
                rises = try #require(try ProcessFigures(of: getpid()).wakeUps) > before
            }
            #expect(rises)
        }

        /// The number falls when another test closes its own, so one rise by all of them is enough.
        @Test("descriptors that are opened are counted")
        func descriptors() throws {
            var rises = false
            for _ in 0..<1000 where !rises {
                let before = try #require(try ProcessFigures(of: getpid()).descriptors)
                let opened = try (0..<20).map { _ in try syscall("dup") { dup(STDIN_FILENO) } }
                rises = try #require(try ProcessFigures(of: getpid()).descriptors) >= before + 20
                for descriptor in opened { close(descriptor) }
            }
            #expect(rises)
        }
    #endif
}

@Suite struct OpenFileLimitTests {
    @Test("raising the limit twice gives the same limit")
    func idempotent() throws {
        let limit = try raiseOpenFileLimit()
        #expect(limit > 0)
        #expect(try raiseOpenFileLimit() == limit)
    }
}
