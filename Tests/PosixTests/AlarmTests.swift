#if os(Linux)
    import Glibc
    import Posix
    import Testing

    @Suite struct AlarmTests {
        @Test("it is readable from its instant on, and never before")
        func rings() throws {
            let alarm = try Alarm()
            let instant = monotonicNanoseconds() + 2_000_000
            try alarm.set(at: instant)
            #expect(wait(for: alarm, milliseconds: -1))
            #expect(monotonicNanoseconds() >= instant)
            #expect(wait(for: alarm, milliseconds: 0))
        }

        @Test("one that rang is silent when it is set anew")
        func anew() throws {
            let alarm = try Alarm()
            #expect(!wait(for: alarm, milliseconds: 0))
            try alarm.set(at: 0)
            #expect(wait(for: alarm, milliseconds: -1))
            try alarm.set(at: .max)
            #expect(!wait(for: alarm, milliseconds: 0))
        }

        private func wait(for alarm: Alarm, milliseconds: Int32) -> Bool {
            var entry = pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) == 1
        }
    }
#endif
