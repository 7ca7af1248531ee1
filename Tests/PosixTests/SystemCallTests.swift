import Posix
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct SystemErrorTests {
    @Test("an error reads as the call and its reason")
    func description() {
        let error = SystemError(code: EADDRINUSE, call: "bind")
        #expect(error.description == "bind: Address already in use")
    }

    @Test("a failing call throws its name and errno")
    func failure() {
        #expect(throws: SystemError(code: EBADF, call: "close")) {
            try syscall("close") { close(-1) }
        }
    }

    @Test("an interrupted call is made again")
    func interruption() throws {
        var attempts = 0
        let result = try syscall("read") { () -> Int in
            attempts += 1
            if attempts < 3 { errno = EINTR }
            return attempts < 3 ? -1 : 7
        }
        #expect(result == 7)
        #expect(attempts == 3)
    }
}

@Suite struct ClockTests {
    @Test("the monotonic clock does not go back")
    func monotonic() {
        var last = monotonicNanoseconds()
        for _ in 0..<1000 {
            let now = monotonicNanoseconds()
            #expect(now >= last)
            last = now
        }
    }

    @Test("the wall clock is past September 2026")
    func wallClock() {
        #expect(wallClockMilliseconds() > 1_790_000_000_000)
    }

    @Test(
        "a time outside 64-bit milliseconds is clamped",
        arguments: [
            (0, 999_999, 0), (1_790_000_000, 1_000_000, 1_790_000_000_001),
            (9_460_800_000, 999_999_999, 9_460_800_000_999), (-1, 500_000_000, -500),
            (.max, 0, .max), (.min, 0, .min), (.max / 1_000, 999_999_999, .max),
        ] as [(Int, Int, Int64)])
    func anyYear(seconds: Int, nanoseconds: Int, expected: Int64) {
        #expect(milliseconds(of: timespec(tv_sec: seconds, tv_nsec: nanoseconds)) == expected)
    }
}

@Suite struct OpenFileLimitTests {
    @Test("raising the limit twice gives the same limit")
    func idempotent() throws {
        let limit = try raiseOpenFileLimit()
        #expect(limit > 0)
        #expect(try raiseOpenFileLimit() == limit)
    }
}
