import Posix
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
