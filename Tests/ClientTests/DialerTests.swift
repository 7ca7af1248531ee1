import Client
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct DialerTests {
    private static let patience = Duration.seconds(20)

    @Test("a listening server is reached without blocking the loop")
    func connects() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            caller.dial(try port(of: server))
            #expect(caller.dialer.isDialing)
            let socket = try caller.outcome().get()
            defer { close(socket) }
            #expect(!caller.dialer.isDialing)
            #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0)
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(write(socket, "x", 1) == 1)
            #expect(try received(on: accepted) == 1)
        }
    }

    @Test("a failed attempt has its reason, and can be repeated")
    func refused() async throws {
        try await onThread {
            let caller = try Caller()
            let vacant: UInt16 = try port(of: Listener(host: "127.0.0.1", port: 0))
            for _ in 1...2 {
                caller.dial(vacant)
                let refusal = EndpointError.failed(
                    SystemError(code: ECONNREFUSED, call: "connect"))
                #expect(try caller.outcome() == .failure(refusal))
            }
        }
    }

    @Test("a host without an address is reported")
    func unresolved() async throws {
        try await onThread {
            let caller = try Caller()
            caller.dial(1, host: "no such host")
            let error = #expect(throws: EndpointError.self) { try caller.outcome().get() }
            #expect(error?.description.hasPrefix("cannot resolve host") == true)
        }
    }

    @Test("there is no outcome before an attempt, and none after it is abandoned")
    func nothing() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            caller.dialer.cancel()
            #expect(caller.dialer.takeOutcome() == nil)
            caller.dial(try port(of: server))
            caller.dialer.cancel()
            #expect(!caller.dialer.isDialing)
            #expect(caller.dialer.takeOutcome() == nil)
        }
    }

    @Test("a connection made after its attempt was abandoned is closed")
    func cancelled() async throws {
        try await onThread {
            let caller = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            caller.dial(try port(of: server))
            caller.dialer.cancel()
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(try received(on: accepted) == 0)
        }
    }

    @Test("a connection is closed when its attempt is abandoned")
    func tooLate() async throws {
        try await onThread {
            var caller: Caller? = try Caller()
            let server = try Listener(host: "127.0.0.1", port: 0)
            try caller?.dialAndWait(try port(of: server))
            caller = nil
            let accepted = try accept(on: server)
            defer { close(accepted) }
            #expect(try received(on: accepted) == 0)
        }
    }

    @Test("a new attempt after an abandoned one has its own outcome")
    func next() async throws {
        try await onThread {
            let caller = try Caller()
            let first = try Listener(host: "127.0.0.1", port: 0)
            let second = try Listener(host: "127.0.0.1", port: 0)
            caller.dial(try port(of: first))
            caller.dialer.cancel()
            caller.dial(try port(of: second))
            let socket = try caller.outcome().get()
            defer { close(socket) }
            let accepted = try accept(on: second)
            defer { close(accepted) }
            close(try accept(on: first))
            #expect(write(socket, "x", 1) == 1)
            #expect(try received(on: accepted) == 1)
        }
    }

    /// A dialer and its loop.
    private final class Caller {
        let loop: EventLoop
        let dialer: Dialer

        init() throws {
            loop = try EventLoop()
            dialer = Dialer(loop: loop)
        }

        func dial(_ port: UInt16, host: String = "127.0.0.1") {
            dialer.dial(.network(host: host, port: port), timeout: patience)
        }

        func outcome() throws -> Result<Int32, EndpointError> {
            var outcome: Result<Int32, EndpointError>?
            try loop.run { _, _ in
                outcome = dialer.takeOutcome()
                if outcome != nil { loop.stop() }
                return nil
            }
            return try #require(outcome)
        }

        /// Dials, and waits for the loop to be woken without taking the outcome.
        func dialAndWait(_ port: UInt16) throws {
            try loop.run { _, _ in
                if dialer.isDialing { loop.stop() } else { dial(port) }
                return nil
            }
        }
    }
}

private func port(of listener: borrowing Listener) throws -> UInt16 {
    try #require(listener.address.split(separator: ":").last.flatMap { UInt16($0) })
}

private func accept(on listener: borrowing Listener) throws -> Int32 {
    var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 20_000) == 1)
    let descriptor = listener.descriptor
    return try syscall("accept") { accept(descriptor, nil, nil) }
}

/// The number of received bytes; 0 at the end of the stream.
private func received(on socket: Int32) throws -> Int {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 20_000) == 1)
    var byte: UInt8 = 0
    return try syscall("read") { read(socket, &byte, 1) }
}
