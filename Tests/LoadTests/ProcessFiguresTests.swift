import Load
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
        @Test("each reading of our CPU time is higher than the one before")
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
    #endif
}
