// An exit test takes values along from Swift 6.3 on.
#if compiler(>=6.3)
    import Posix
    import TestSupport
    import Testing

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    @Suite(.timeLimit(.minutes(2))) struct TerminalRescueTests {
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

        private func expectGivenBack(_ pty: PseudoTerminal) {
            #expect(!pty.isRaw)
            #expect(pty.shown(until: given) == taken + given)
        }
    }
#endif
