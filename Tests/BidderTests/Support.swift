import Bidder
import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The port of a listener on 127.0.0.1.
func port(of listener: borrowing Listener) throws -> UInt16 {
    try #require(listener.address.split(separator: ":").last.flatMap { UInt16($0) })
}

/// Accepts a connection, which the caller closes.
func accept(on listener: borrowing Listener) throws -> Int32 {
    var entry = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 20_000) == 1)
    let descriptor = listener.descriptor
    return try syscall("accept") { accept(descriptor, nil, nil) }
}

/// The number of received bytes; 0 at the end of the stream.
func received(on socket: Int32) throws -> Int {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 20_000) == 1)
    var byte: UInt8 = 0
    return try syscall("read") { read(socket, &byte, 1) }
}

/// The output of a plain client.
struct PlainOutput {
    var code = ExitCode.usage
    var shown: [String] = []
    var complaints: [String] = []

    /// Runs a session to its end.
    init(
        of session: OneShotSession, at server: ServerAddress, input: Int32? = nil,
        timeout: Duration = .seconds(20)
    ) throws {
        var effects: [ClientEffect] = []
        let client = try PlainClient(session, at: server, input: input, timeout: timeout) {
            effects.append($0)
        }
        code = try client.run().code
        for effect in effects {
            switch effect {
            case .show(let line): shown.append(line.text)
            case .complain(let text): complaints.append(text)
            case .send, .say, .note, .keep, .exit, .connect, .disconnect, .redraw, .suspend, .bell:
                break
            }
        }
    }
}
