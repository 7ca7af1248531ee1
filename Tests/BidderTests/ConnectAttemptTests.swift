import Bidder
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ConnectAttemptTests {
    private static let timeout = Duration.seconds(20)

    @Test("a listening server is reached without blocking the loop")
    func connects() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            let attempt = caller.attempt(try port(of: server))
            let socket = try caller.outcome(of: attempt).get()
            defer { close(socket) }
            #expect(attempt.takeOutcome() == nil)
            #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0)
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(write(socket, "x", 1) == 1)
            #expect(try received(on: accepted) == 1)
        }
    }

    @Test("a failed attempt has its reason")
    func refused() async throws {
        try await onThread {
            let caller = try Caller()
            let vacant: UInt16 = try port(of: Listener(host: "127.0.0.1", port: 0))
            let refusal = EndpointError.failed(SystemError(code: ECONNREFUSED, call: "connect"))
            #expect(try caller.outcome(of: caller.attempt(vacant)) == .failure(refusal))
        }
    }

    @Test("a host without an address is reported")
    func unresolved() async throws {
        try await onThread {
            let caller = try Caller()
            let attempt = caller.attempt(1, host: "no such host")
            let error = #expect(throws: EndpointError.self) {
                try caller.outcome(of: attempt).get()
            }
            #expect(error?.description.hasPrefix("cannot resolve host") == true)
        }
    }

    @Test("a connection made after its attempt was abandoned is closed")
    func cancelled() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            let attempt = caller.attempt(try port(of: server))
            attempt.abandon()
            #expect(attempt.takeOutcome() == nil)
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(try received(on: accepted) == 0)
        }
    }

    @Test("a connection is closed when its attempt is abandoned")
    func tooLate() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            try caller.endedAttempt(try port(of: server)).abandon()
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(try received(on: accepted) == 0)
        }
    }

    /// A loop, and the attempts that wake it.
    private struct Caller {
        let loop: EventLoop

        init() throws {
            loop = try EventLoop()
        }

        func attempt(_ port: UInt16, host: String = "127.0.0.1") -> ConnectAttempt {
            ConnectAttempt(
                to: .network(host: host, port: port), timeout: timeout, waking: loop)
        }

        func outcome(of attempt: ConnectAttempt) throws -> Result<Int32, EndpointError> {
            var outcome: Result<Int32, EndpointError>?
            try loop.run { _, _ in
                outcome = attempt.takeOutcome()
                if outcome != nil { loop.stop() }
                return nil
            }
            return try #require(outcome)
        }

        /// Makes an attempt, and waits for it to wake the loop.
        func endedAttempt(_ port: UInt16) throws -> ConnectAttempt {
            var made: ConnectAttempt?
            try loop.run { _, _ in
                if made == nil { made = attempt(port) } else { loop.stop() }
                return nil
            }
            return try #require(made)
        }
    }
}
