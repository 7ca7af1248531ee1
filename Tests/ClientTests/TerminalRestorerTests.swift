// An exit test takes values along from Swift 6.3 on.
#if compiler(>=6.3)
    import Client
    import Posix
    import TestSupport
    import Testing

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    @Suite(.timeLimit(.minutes(2))) struct TerminalRestorerTests {
        @Test("a program that exits gives the terminal back")
        func exits() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
                let terminal = try Terminal(path: path)
                try terminal.enter()
                exit(7)
            }
            expectGivenBack(pty)
        }

        @Test("a program that breaks its own rules gives the terminal back, and dies of it")
        func traps() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                let terminal = try Terminal(path: path)
                try terminal.enter()
                preconditionFailure("a bug of ours")
            }
            expectGivenBack(pty)
        }

        @Test("what a program says as it breaks its rules is shown once the terminal is given back")
        func lastWords() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                try Self.showErrors(on: path)
                let terminal = try Terminal(path: path)
                try terminal.enter()
                fatalError("a bug of ours")
            }
            #expect(!pty.isRaw)
            let shown = pty.shown(until: "a bug of ours")
            #expect(shown.hasPrefix(taken + given))
            #expect(shown.dropFirst((taken + given).count).contains("a bug of ours"))
        }

        @Test("what is said while a terminal is taken over is shown each time it is left")
        func errorsAside() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                try Self.showErrors(on: path)
                let terminal = try Terminal(path: path)
                for word in ["first", "second"] {
                    try terminal.enter()
                    try StandardStream.error.write(word)
                    terminal.write(Array("frame".utf8))
                    terminal.leave()
                }
                try StandardStream.error.write("third")
            }
            let visit = taken + "frame" + given
            let said = visit + "first\r\n" + visit + "second\r\nthird\r\n"
            #expect(pty.shown(until: "third\r\n").hasPrefix(said))
        }

        @Test("a program that breaks its rules on another thread gives the terminal back")
        func trapsBeside() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                let terminal = try Terminal(path: path)
                try terminal.enter()
                let thread = try Thread { preconditionFailure("a bug of ours") }
                thread.join()
            }
            expectGivenBack(pty)
        }

        @Test(
            "a program that dies of a signal gives the terminal back",
            arguments: [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGQUIT, SIGSYS])
        func dies(signal: Int32) async throws {
            let pty = try PseudoTerminal()
            let result = await #expect(processExitsWith: .failure) {
                [path = pty.path as String, signal = signal as Int32] in
                let terminal = try Terminal(path: path)
                try terminal.enter()
                raiseUnblocked(signal)
            }
            // A sanitizer reports some of them, and then exits by itself.
            #expect([.signal(signal), .exitCode(66)].contains(result?.exitStatus))
            expectGivenBack(pty)
        }

        @Test("a program that ignores a signal keeps the terminal")
        func ignores() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                signal(SIGQUIT, SIG_IGN)
                let terminal = try Terminal(path: path)
                try terminal.enter()
                raiseUnblocked(SIGQUIT)
                terminal.write(Array("still here".utf8))
                terminal.leave()
            }
            #expect(pty.shown(until: given) == taken + "still here" + given)
        }

        /// Makes a terminal this process's standard error, as a shell does.
        private static func showErrors(on path: String) throws {
            let terminal = try syscall("open") { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
            try syscall("dup2") { dup2(terminal, STDERR_FILENO) }
            close(terminal)
        }

        private func expectGivenBack(_ pty: PseudoTerminal) {
            #expect(!pty.isRaw)
            #expect(pty.shown(until: given) == taken + given)
        }
    }
#endif
