import Posix
import Server
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct LogWriterTests {
    private static let line = Array("a line of the log\n".utf8)

    @Test("lines are written in the order in which they came, all of them")
    func order() async throws {
        let lines = try await onThread {
            let output = try LogOutput()
            for number in 0..<1000 { output.writer.write("line \(number)") }
            return output.end()
        }
        #expect(lines == (0..<1000).map { "line \($0)" })
    }

    @Test("adding to a log whose reader has stalled never blocks, and dropped lines are counted")
    func stalled() async throws {
        let lines = try await onThread {
            let output = try LogOutput(waitingByteLimit: 4 * Self.line.count)
            let filled = output.fill()
            // One is being written as soon as its thread has got it, and four wait.
            for _ in 0..<100 { output.writer.add(Self.line, count: 1) }
            output.take(filled)
            return output.end()
        }
        let dropped = lines.filter { $0.contains(" level=warning event=dropped lines=") }
            .compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }.reduce(0, +)
        let written = lines.count { $0 == "a line of the log" }
        #expect(dropped > 0 && written + dropped == 100, "\(lines)")
    }

    @Test("the end does not wait for ever for a reader that has stalled")
    func stalledAtTheEnd() async throws {
        let waited = try await onThread {
            let output = try LogOutput()
            let filled = output.fill()
            output.writer.write("read too late")
            let start = monotonicNanoseconds()
            output.writer.close(milliseconds: 50)
            defer {
                output.take(filled)
                _ = output.end()
            }
            return monotonicNanoseconds() - start
        }
        #expect(waited >= 50_000_000)
    }

    @Test("the server continues although the log has no reader")
    func closed() async throws {
        try await onThread {
            ignoreBrokenPipes()
            let (readEnd, writeEnd) = try makePipe()
            close(readEnd)
            let writer = try LogWriter(to: writeEnd)
            for _ in 0..<100 { writer.add(Self.line, count: 1) }
            writer.close(milliseconds: 10_000)
            close(writeEnd)
        }
    }
}
