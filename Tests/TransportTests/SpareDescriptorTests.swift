import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct SpareDescriptorTests {
    @Test("without a free descriptor the spare one lets a connection in, and is kept again after")
    func lends() async {
        await #expect(processExitsWith: .success) {
            let spare = try SpareDescriptor()
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let port = try port(of: listener.address)
            let clients = try (0..<2).map { _ in
                try connectSocket(
                    host: "127.0.0.1", port: port, timeoutNanoseconds: 5_000_000_000)
            }
            try waitUntilReadable(listener.descriptor)
            while dup(clients[0]) != -1 {}
            for client in clients {
                try #require(
                    listener.accept() == .exhausted(SystemError(code: EMFILE, call: "accept")))
                let isLetIn = spare.lend {
                    guard case .accepted(let descriptor, _) = listener.accept() else {
                        return false
                    }
                    turnAway(descriptor, saying: Array("BYE full\n".utf8))
                    return true
                }
                try #require(isLetIn)
                try #require(text(from: client) == "BYE full\n")
            }
        }
    }

    @Test("who is turned away hears why, whatever was said before", arguments: [0, 1, 5000])
    func turnedAway(count: Int) throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = try connectSocket(
            host: "127.0.0.1", port: try port(of: listener.address),
            timeoutNanoseconds: 5_000_000_000)
        defer { closeDescriptor(client) }
        try writeAll([UInt8](repeating: 10, count: count), to: client)
        turnAway(try accept(on: listener), saying: Array("BYE full\n".utf8))
        #expect(text(from: client) == "BYE full\n")
    }
}

/// What a connection says until it ends.
private func text(from descriptor: Int32) -> String {
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 10_000) == 1 {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        heard += buffer[..<count]
    }
    return String(decoding: heard, as: UTF8.self)
}
