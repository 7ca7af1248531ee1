import Basics
import Posix
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct ListenerTests {
    @Test("port 0 becomes the port the kernel chose")
    func address() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        #expect(listener.address.hasPrefix("127.0.0.1:"))
        #expect(try port(of: listener.address) > 0)
    }

    @Test("without a waiting connection accepting would block")
    func nobody() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        #expect(listener.accept() == .wouldBlock)
    }

    @Test("a second listener cannot have the same port")
    func inUse() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let taken = try port(of: listener.address)
        #expect(throws: EndpointError.failed(SystemError(code: EADDRINUSE, call: "bind"))) {
            _ = try Listener(host: "127.0.0.1", port: taken)
        }
    }

    @Test("a host without an address is named in the error")
    func unresolved() throws {
        let error = #expect(throws: EndpointError.self) {
            _ = try Listener(host: "no such host", port: 0)
        }
        #expect(error?.description.hasPrefix("cannot resolve host 'no such host': ") == true)
    }

    @Test("an accepted socket has the options of the listener")
    func inheritance() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = try connect(to: listener)
        defer { closeDescriptor(client) }
        let accepted = try accept(on: listener)
        defer { closeDescriptor(accepted) }
        let tcp = Int32(IPPROTO_TCP)
        #expect(option(TCP_NODELAY, at: tcp, of: accepted) != 0)
        #expect(option(TCP_NOTSENT_LOWAT, at: tcp, of: accepted) == 16 * 1024)
        #expect([64 * 1024, 128 * 1024].contains(option(SO_SNDBUF, at: SOL_SOCKET, of: accepted)))
        #expect(option(SO_KEEPALIVE, at: SOL_SOCKET, of: accepted) != 0)
        #if !canImport(Darwin)
            #expect(option(TCP_KEEPIDLE, at: tcp, of: accepted) == 60)
            #expect(option(TCP_KEEPINTVL, at: tcp, of: accepted) == 10)
            #expect(option(TCP_KEEPCNT, at: tcp, of: accepted) == 3)
            #expect(option(TCP_USER_TIMEOUT, at: tcp, of: accepted) == 30_000)
        #endif
        #expect(fcntl(accepted, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC != 0)
        #expect(option(TCP_NODELAY, at: tcp, of: client) != 0)
        #expect(fcntl(client, F_GETFL) & O_NONBLOCK != 0)
    }

    @Test("an option that is left to the kernel is not set")
    func withoutOptions() throws {
        var options = SocketOptions()
        (options.sendBuffer, options.unsent, options.keepAlive) = (nil, nil, nil)
        options.userTimeoutSeconds = 7
        let listener = try Listener(host: "127.0.0.1", port: 0, options: options)
        let client = try connect(to: listener)
        defer { closeDescriptor(client) }
        let accepted = try accept(on: listener)
        defer { closeDescriptor(accepted) }
        #expect(option(SO_KEEPALIVE, at: SOL_SOCKET, of: accepted) == 0)
        #expect(option(TCP_NODELAY, at: Int32(IPPROTO_TCP), of: accepted) != 0)
        #if !canImport(Darwin)
            #expect(option(TCP_USER_TIMEOUT, at: Int32(IPPROTO_TCP), of: accepted) == 7000)
        #endif
    }

    @Test("a port without a listener refuses")
    func refusal() throws {
        // Bound and not listening: no other process can take the port meanwhile.
        let (socket, port) = try boundSocket()
        defer { closeDescriptor(socket) }
        #expect(throws: EndpointError.failed(SystemError(code: ECONNREFUSED, call: "connect"))) {
            try connectSocket(
                to: .network(host: "127.0.0.1", port: port), timeout: .seconds(5))
        }
    }

    @Test("without a free descriptor accepting is exhausted, and works again after a close")
    func exhaustion() async {
        await #expect(processExitsWith: .success) {
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let client = try connect(to: listener)
            try waitUntilReadable(listener.descriptor)
            var spare: [Int32] = []
            while case let copy = dup(client), copy != -1 { spare.append(copy) }
            let outcome = listener.accept()
            closeDescriptor(try #require(spare.last))
            try #require(outcome == .exhausted(SystemError(code: EMFILE, call: "accept")))
            guard case .accepted = listener.accept() else {
                throw SystemError(code: 0, call: "accept")
            }
        }
    }

    @Test(
        "an accepted connection has the address of its peer",
        arguments: [
            ("127.0.0.1", UInt64(0xFFFF_7F00_0001)), ("127.0.0.9", 0xFFFF_7F00_0001), ("::1", 1),
        ])
    func peerAddress(host: String, low: UInt64) throws {
        let source = try #require(try source(of: host))
        #expect((source.high, source.low) == (0, low))
    }
}

/// The peer address of a connection from this machine to itself.
private func source(of host: String) throws -> PeerAddress? {
    let listener = try Listener(host: host, port: 0)
    let client = try connect(to: listener, host: host)
    defer { closeDescriptor(client) }
    try waitUntilReadable(listener.descriptor)
    guard case .accepted(let descriptor, let source) = listener.accept() else { return nil }
    closeDescriptor(descriptor)
    return source
}

/// A TCP socket on a free port of 127.0.0.1 that does not listen.
func boundSocket() throws -> (descriptor: Int32, port: UInt16) {
    #if canImport(Darwin)
        let type = SOCK_STREAM
    #else
        let type = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = try syscall("socket") { socket(AF_INET, type, 0) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    try withUnsafeMutableBytes(of: &address) { bytes in
        let pointer = try #require(bytes.assumingMemoryBound(to: sockaddr.self).baseAddress)
        try syscall("bind") { bind(descriptor, pointer, length) }
        try syscall("getsockname") { getsockname(descriptor, pointer, &length) }
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

func port(of address: String) throws -> UInt16 {
    try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
}

func connect(
    to listener: borrowing Listener, host: String = "127.0.0.1"
) throws -> Int32 {
    let server = ServerAddress.network(host: host, port: try port(of: listener.address))
    return try connectSocket(to: server, timeout: .seconds(5))
}

func waitUntilReadable(_ descriptor: Int32) throws {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&entry, 1, 10_000) == 1)
}

func accept(on listener: borrowing Listener) throws -> Int32 {
    try waitUntilReadable(listener.descriptor)
    let outcome = listener.accept()
    guard case .accepted(let descriptor, _) = outcome else {
        throw SystemError(code: EAGAIN, call: "accept")
    }
    return descriptor
}

private func option(_ option: Int32, at level: Int32, of socket: Int32) -> Int32 {
    var value: Int32 = -1
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, level, option, &value, &length)
    return value
}

@Suite struct SpareDescriptorTests {
    @Test("without a free descriptor the spare one lets a connection in, and is kept again after")
    func lends() async {
        await #expect(processExitsWith: .success) {
            let spare = try SpareDescriptor()
            let listener = try Listener(host: "127.0.0.1", port: 0)
            let clients = [try connect(to: listener), try connect(to: listener)]
            try waitUntilReadable(listener.descriptor)
            while dup(clients[0]) != -1 {}
            for client in clients {
                try #require(
                    listener.accept() == .exhausted(SystemError(code: EMFILE, call: "accept")))
                let isLetIn = spare.lend {
                    guard case .accepted(let descriptor, _) = listener.accept() else {
                        return false
                    }
                    turnAway(descriptor, sending: Array("BYE full\n".utf8))
                    return true
                }
                try #require(isLetIn)
                try #require(text(from: client) == "BYE full\n")
            }
        }
    }

    @Test("a refused peer gets the reason, whatever it sent before", arguments: [0, 1, 5000])
    func turnedAway(count: Int) throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = try connect(to: listener)
        defer { closeDescriptor(client) }
        try writeAll([UInt8](repeating: 10, count: count), to: client)
        turnAway(try accept(on: listener), sending: Array("BYE full\n".utf8))
        #expect(text(from: client) == "BYE full\n")
    }
}

/// What a connection sends until it ends.
private func text(from descriptor: Int32) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, 10_000) == 1 {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        received += buffer[..<count]
    }
    return String(decoding: received, as: UTF8.self)
}
