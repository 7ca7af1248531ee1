import Basics
import Posix
import TestSupport
import Testing
import Transport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct LocalListenerTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/socket" }

    private func connect(to path: String) throws -> Int32 {
        try connectSocket(to: .socket(path: path), timeout: .seconds(1))
    }

    private func mode(of path: String) -> mode_t? {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode : nil
    }

    @Test("a socket takes connections, which come from no machine and do not block")
    func accepts() throws {
        let listener = try Listener(path: path)
        #expect(listener.address == path)
        #expect(listener.accept() == .wouldBlock)
        let client = try connect(to: path)
        defer { close(client) }
        guard case .accepted(let connection, let peer) = listener.accept() else {
            Issue.record("no connection is waiting")
            return
        }
        defer { close(connection) }
        #expect(peer == .local)
        for socket in [client, connection] { #expect(fcntl(socket, F_GETFL) & O_NONBLOCK != 0) }
        #expect(write(client, "x", 1) == 1)
        var byte: UInt8 = 0
        #expect(read(connection, &byte, 1) == 1)
    }

    @Test("it is its owner's alone, and is removed when the listener closes")
    func owner() throws {
        do {
            let listener = try Listener(path: path)
            #expect(mode(of: listener.address).map { $0 & 0o777 } == 0o600)
        }
        #expect(mode(of: path) == nil)
    }

    @Test("a socket file that a dead server left is replaced")
    func dead() throws {
        // A second name keeps the file when the listener removes the first.
        do {
            let listener = try Listener(path: path)
            #expect(link(listener.address, path + "2") == 0)
        }
        #expect(rename(path + "2", path) == 0)
        let listener = try Listener(path: path)
        close(try connect(to: listener.address))
    }

    @Test("a socket that a server listens on is left to it")
    func inUse() throws {
        let listener = try Listener(path: path)
        #expect(throws: LocalSocketError.inUse) { try Listener(path: path).descriptor }
        close(try connect(to: listener.address))
    }

    @Test("a file of another kind is never removed")
    func notASocket() throws {
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: LocalSocketError.notASocket) { try Listener(path: path).descriptor }
        #expect(mode(of: path).map { $0 & S_IFMT } == S_IFREG)
        #expect(symlink("/nowhere", path + "2") == 0)
        #expect(throws: LocalSocketError.notASocket) { try Listener(path: path + "2").descriptor }
        #expect(throws: LocalSocketError.notASocket) {
            try Listener(path: folder.path).descriptor
        }
    }

    @Test("a server that was moved away does not remove the socket of the next")
    func moved() throws {
        let next: Listener
        do {
            let first = try Listener(path: path)
            #expect(unlink(first.address) == 0)
            next = try Listener(path: path)
        }
        close(try connect(to: next.address))
    }

    @Test("a path that is too long is reported")
    func tooLong() throws {
        let long = path + String(repeating: "x", count: 120)
        let error = LocalSocketError.system(SystemError(code: ENAMETOOLONG, call: "bind"))
        #expect(throws: error) { try Listener(path: long).descriptor }
        #expect(throws: EndpointError.self) { try connect(to: long) }
    }
}
