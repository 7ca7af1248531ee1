import Load
import Posix

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension BidderConnection {
    private static let patienceNanoseconds: Int64 = 5_000_000_000
    private static let greetingBytes = 64

    /// Comes in, and waits until it is; where names are needed, under one that `nextName` returns.
    ///
    /// - Throws: `Failure`, or `SystemError` when the kernel does not let us wait.
    func enter(as nextName: () -> String, reading buffer: inout [UInt8]) throws {
        if let entrance = dialect.bidder {
            try enter(by: entrance, reading: &buffer)
        } else {
            try takeName(from: nextName, reading: &buffer)
        }
        answers.countNews()
    }

    private func enter(by entrance: Entrance, reading buffer: inout [UInt8]) throws {
        let deadline = monotonicNanoseconds() + Self.patienceNanoseconds
        outbox += entrance.words
        try flush()
        var heard: [UInt8] = []
        while entrance.end(in: heard) == nil {
            try waitUntilReadable(by: deadline)
            let byteCount = try read(into: &buffer)
            heard += buffer.prefix(byteCount)
        }
    }

    /// Takes a name; when somebody has it, the next.
    private func takeName(from nextName: () -> String, reading buffer: inout [UInt8]) throws {
        var answer = Load.Answer.nameTaken
        while answer == .nameTaken {
            outbox += Array("name \(nextName())\n".utf8)
            try flush()
            answer = try awaitAnswer(reading: &buffer)
        }
        guard answer == .ok else { throw Failure.notNamed }
    }

    /// Waits for the answer to the only command that has none yet.
    ///
    /// - Throws: `Failure`, or `SystemError` when the kernel does not let us wait.
    func awaitAnswer(reading buffer: inout [UInt8]) throws -> Load.Answer {
        let deadline = monotonicNanoseconds() + Self.patienceNanoseconds
        while true {
            try waitUntilReadable(by: deadline)
            let byteCount = try read(into: &buffer)
            greeting += buffer.prefix(min(byteCount, Self.greetingBytes - greeting.count))
            var answer: Load.Answer?
            answers.receive(buffer.span.extracting(first: byteCount)) { answer = $0 }
            if let answer { return answer }
        }
    }

    private func waitUntilReadable(by deadline: Int64) throws {
        let left = deadline - monotonicNanoseconds()
        guard left > 0 else { throw Failure.silent }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        try syscall("poll") { poll(&entry, 1, Int32(left / 1_000_000 + 1)) }
    }
}

/// The names of bidders: `bench-1` and on.
func benchNames() -> () -> String {
    var count = 0
    return {
        count += 1
        return "bench-\(count)"
    }
}
