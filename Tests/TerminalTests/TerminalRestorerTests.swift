// An exit test takes values along from Swift 6.3 on.
#if compiler(>=6.3)
    import Posix
    import Terminal
    import TestSupport
    import Testing

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    @Suite(.timeLimit(.minutes(2))) struct TerminalRestorerTests {
        @Test("an exit restores the terminal")
        func exits() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                exit(7)
            }
            expectGivenBack(pty)
        }

        @Test("a failed precondition restores the terminal")
        func traps() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                preconditionFailure("a bug of ours")
            }
            expectGivenBack(pty)
        }

        @Test("the message of a crash is shown after the terminal is restored")
        func lastWords() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                try Self.showErrors(on: path)
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                fatalError("a bug of ours")
            }
            #expect(!pty.isRaw)
            let shown = pty.shown(until: "a bug of ours")
            #expect(shown.hasPrefix(taken + given))
            #expect(shown.dropFirst((taken + given).count).contains("a bug of ours"))
        }

        @Test("standard error is shown each time the terminal is left")
        func errorsAside() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                try Self.showErrors(on: path)
                let terminal = try TerminalDevice(path: path)
                for word in ["first", "second"] {
                    try terminal.enter()
                    try StandardStream.error.write(word)
                    terminal.write(Array("frame".utf8))
                    terminal.leave()
                }
                try StandardStream.error.write("third")
            }
            let visit = taken + "frame" + given
            let shown = visit + "first\r\n" + visit + "second\r\nthird\r\n"
            #expect(pty.shown(until: "third\r\n").hasPrefix(shown))
        }

        @Test("a crash on another thread restores the terminal")
        func trapsBeside() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .failure) { [path = pty.path as String] in
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                let thread = try Thread { preconditionFailure("a bug of ours") }
                thread.join()
            }
            expectGivenBack(pty)
        }

        @Test(
            "a crash signal restores the terminal, and ends the process",
            arguments: [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGQUIT, SIGSYS])
        func dies(signal: Int32) async throws {
            let pty = try PseudoTerminal()
            let result = await #expect(processExitsWith: .failure) {
                [path = pty.path as String, signal = signal as Int32] in
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                raiseUnblocked(signal)
            }
            // A sanitizer reports some signals, and exits with its own code.
            #expect([.signal(signal), .exitCode(66)].contains(result?.exitStatus))
            expectGivenBack(pty)
        }

        @Test("an ignored signal does not restore the terminal")
        func ignores() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                signal(SIGQUIT, SIG_IGN)
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                raiseUnblocked(SIGQUIT)
                terminal.write(Array("still here".utf8))
                terminal.leave()
            }
            #expect(pty.shown(until: given) == taken + "still here" + given)
        }

        /// Makes the terminal the standard error of this process, as a shell does.
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

    @Suite(.timeLimit(.minutes(2))) struct TerminalSuspensionTests {
        @Test("a suspended process stops with a restored terminal, and enters it again")
        func suspends() async throws {
            let pty = try PseudoTerminal()
            async let shell: Void = onThread { try Self.continueOnce(stoppedOn: pty) }
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                // Its own group, or the tests would stop too.
                try syscall("setpgid") { setpgid(0, 0) }
                let signals = try SignalPipe(signals: [SIGTSTP, SIGCONT])
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                terminal.write(Array(" \(getpid()) is me".utf8))
                try terminal.suspend()
                try #require(terminal.isEntered)
                try #require(signals.next() == nil, "SIGCONT is not reported")
                raiseUnblocked(SIGTSTP)
                try #require(signals.next() == SIGTSTP, "the pipe reports the signal as before")
            }
            try await shell
            #expect(pty.shown(until: given).hasSuffix(taken + given))
            #expect(!pty.isRaw)
        }

        @Test("an orphaned process does not stop")
        func orphan() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                try syscall("setsid") { setsid() }
                let terminal = try TerminalDevice(path: path)
                try terminal.enter()
                try terminal.suspend()
                try #require(terminal.isEntered)
            }
            #expect(pty.shown(until: taken + given) == taken + given + taken + given)
        }

        /// Waits until the process has stopped, and continues it, as a shell does.
        private static func continueOnce(stoppedOn pty: PseudoTerminal) throws {
            let shown = pty.shown(until: "is me" + given)
            let process = try #require(shown.split(separator: " ").dropFirst().first)
            let id = try #require(pid_t(process))
            var information = siginfo_t()
            try syscall("waitid") { waitid(P_PID, id_t(id), &information, WSTOPPED) }
            #expect(!pty.isRaw)
            try syscall("kill") { kill(id, SIGCONT) }
        }
    }
#endif
