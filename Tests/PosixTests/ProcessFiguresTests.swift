import Posix
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ProcessFiguresTests {
    @Test("there are none of a process that is none")
    func nobody() {
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
            let before = try #require(try ProcessFigures(of: getpid()).residentBytes)
            let bytes = [UInt8](repeating: 1, count: 64 << 20)
            let after = try #require(try ProcessFigures(of: getpid()).residentBytes)
            #expect(after - before > 32 << 20)
            #expect(bytes.count == 64 << 20)
        }

        @Test("we may have gone to sleep, or not")
        func wakeUps() throws {
            let figures = try ProcessFigures(of: getpid())
            #expect(try #require(figures.wakeUps) >= 0)
        }

        @Test("we have at least the descriptor that the question opens")
        func descriptors() throws {
            let figures = try ProcessFigures(of: getpid())
            #expect(try #require(figures.descriptors) >= 1)
        }

        @Test("what came since is told for each figure")
        func since() throws {
            let before = try ProcessFigures(of: getpid())
            let after = try ProcessFigures(of: getpid())
            let cost = after.since(before)
            #expect(try #require(cost.cpuNanoseconds) > 0)
            #expect(
                cost.residentBytes
                    == after.residentBytes.flatMap { after in
                        before.residentBytes.map { after - $0 }
                    })
        }
    #endif
}
