import Posix
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct SignalPipeTests {
    @Test("signals are read in the order in which they came")
    func order() async {
        await #expect(processExitsWith: .success) {
            let pipe = try SignalPipe(signals: [SIGUSR1, SIGTERM])
            try #require(pipe.next() == nil)
            raiseUnblocked(SIGTERM)
            raiseUnblocked(SIGUSR1)
            try #require(pipe.next() == SIGTERM)
            try #require(pipe.next() == SIGUSR1)
            try #require(pipe.next() == nil)
        }
    }

    @Test("a released pipe gives the signals their default action back")
    func release() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            do { _ = try SignalPipe(signals: [SIGTERM]) }
            raiseUnblocked(SIGTERM)
        }
    }

    @Test("a signal that comes after the end of a process has begun changes nothing")
    func ignored() async {
        await #expect(processExitsWith: .success) {
            do { _ = try SignalPipe(signals: [SIGTERM], ignoresAfterwards: true) }
            raiseUnblocked(SIGTERM)
        }
    }

    @Test("a write to a broken pipe is an error and not a death")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            ignoreBrokenPipes()
            let (readEnd, writeEnd) = try makePipe()
            close(readEnd)
            try #require(write(writeEnd, "x", 1) == -1)
            try #require(errno == EPIPE)
        }
    }
}

@Suite struct PipeTests {
    @Test("neither end of a pipe blocks")
    func nonBlocking() throws {
        let (readEnd, writeEnd) = try makePipe()
        defer {
            close(readEnd)
            close(writeEnd)
        }
        #expect(fcntl(readEnd, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(writeEnd, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(readEnd, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("a wake signal is readable until it is drained, however often it is given")
    func wakeSignal() throws {
        let signal = try WakeSignal()
        #expect(!isReadable(signal.descriptor))
        signal.give()
        signal.give()
        #expect(isReadable(signal.descriptor))
        signal.drain()
        #expect(!isReadable(signal.descriptor))
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }
}
