import Posix
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct FilesTests {
    private let temporary = TemporaryFolder()
    private var folder: String { temporary.path }

    @Test("the login is in the environment, else the system knows the user")
    func login() {
        #expect(loginName { ["LOGNAME": "jane", "USER": "root"][$0] } == "jane")
        #expect(loginName { ["LOGNAME": "", "USER": "jane"][$0] } == "jane")
        let known = getpwuid(getuid())?.pointee.pw_name.map { String(cString: $0) }
        #expect(loginName { _ in nil } == known)
    }

    @Test("a file is replaced whole, with the mode that was asked for")
    func replace() throws {
        try replaceFile(folder + "/file", with: [1, 2, 3], mode: 0o600)
        try replaceFile(folder + "/file", with: [4], mode: 0o600)
        #expect(try readFile(folder + "/file", atMost: 100) == [4])
        #expect(mode(of: "/file") == 0o600)
        #expect(try namesInFolder(folder) == ["file"])
    }

    @Test("a link in the place of a file is replaced, and what it points to is left alone")
    func link() throws {
        try replaceFile(folder + "/target", with: [1], mode: 0o600)
        #expect(symlink(folder + "/target", folder + "/link") == 0)
        try replaceFile(folder + "/link", with: [2], mode: 0o600)
        #expect(try readFile(folder + "/target", atMost: 100) == [1])
        #expect(try readFile(folder + "/link", atMost: 100) == [2])
    }

    @Test("a file that cannot be put in its place leaves no draft behind")
    func noDraft() throws {
        try makeFolder(folder + "/a/b", mode: 0o700)
        #expect(throws: SystemError.self) {
            try replaceFile(self.folder + "/a", with: [1], mode: 0o600)
        }
        #expect(try namesInFolder(folder) == ["a"])
    }

    @Test("no more of a file is read than the limit, and a missing one is an error of its own")
    func read() throws {
        try replaceFile(folder + "/file", with: [1, 2, 3], mode: 0o600)
        #expect(try readFile(folder + "/file", atMost: 2) == [1, 2])
        do {
            _ = try readFile(folder + "/none", atMost: 2)
            Issue.record("a file that is not there was read")
        } catch {
            #expect(error.isAboutMissingFile)
        }
    }

    @Test(
        "a private file is read if its owner alone may read or write it",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o602, false), (0o610, false)]
            as [(mode_t, Bool)])
    func privateFile(mode: mode_t, isPrivate: Bool) throws {
        let path = folder + "/file"
        try replaceFile(path, with: [1, 2, 3], mode: 0o600)
        #expect(chmod(path, mode) == 0)
        guard isPrivate else {
            #expect(throws: PrivateFileError.openToOthers) {
                try readPrivateFile(path, atMost: 2)
            }
            return
        }
        #expect(try readPrivateFile(path, atMost: 2) == [1, 2])
    }

    @Test("a folder and a pipe are no private files, and are not waited for")
    func notRegular() throws {
        let path = folder + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        for path in [path, folder] {
            #expect(throws: PrivateFileError.notRegular) {
                try readPrivateFile(path, atMost: 2)
            }
        }
    }

    @Test("what has arrived is read in pieces, and nothing yet is distinct from the end")
    func available() throws {
        let (readEnd, writeEnd) = try makePipe()
        defer { close(readEnd) }
        var buffer: [UInt8] = [0, 0]
        #expect(try readAvailable(readEnd, into: &buffer) == nil)
        try writeAll([1, 2, 3], to: writeEnd)
        #expect(try readAvailable(readEnd, into: &buffer) == 2)
        #expect(buffer == [1, 2])
        #expect(try readAvailable(readEnd, into: &buffer) == 1)
        close(writeEnd)
        #expect(try readAvailable(readEnd, into: &buffer) == 0)
        #expect(throws: SystemError.self) { try readAvailable(-1, into: &buffer) }
    }

    @Test("a folder is made with those above it, and may be there already")
    func folders() throws {
        for _ in 1...2 { try makeFolder(folder + "/a/b/c", mode: 0o700) }
        #expect(mode(of: "/a/b/c") == 0o700)
        #expect(throws: SystemError.self) { try makeFolder("/proc/none/a", mode: 0o700) }
    }

    private func mode(of name: String) -> mode_t? {
        var status = stat()
        return stat(folder + name, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
