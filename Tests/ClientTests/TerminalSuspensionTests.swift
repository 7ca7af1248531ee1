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

    @Suite(.timeLimit(.minutes(2))) struct TerminalSuspensionTests {
        @Test("a suspended program stops with its terminal given back, and takes it over again")
        func suspends() async throws {
            let pty = try PseudoTerminal()
            async let shell: Void = onThread { try Self.continueOnce(stoppedOn: pty) }
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                // A group of its own, or the tests would stop too.
                try syscall("setpgid") { setpgid(0, 0) }
                let signals = try SignalPipe(signals: [SIGTSTP, SIGCONT])
                let terminal = try Terminal(path: path)
                try terminal.enter()
                terminal.write(Array(" \(getpid()) is me".utf8))
                try terminal.suspend()
                try #require(terminal.isEntered)
                try #require(signals.next() == nil, "nothing to hear of what it waited for")
                raiseUnblocked(SIGTSTP)
                try #require(signals.next() == SIGTSTP, "the pipe hears the signal as before")
            }
            try await shell
            #expect(pty.shown(until: given).hasSuffix(taken + given))
            #expect(!pty.isRaw)
        }

        @Test("a program that no shell could let go on does not stop")
        func orphan() async throws {
            let pty = try PseudoTerminal()
            await #expect(processExitsWith: .success) { [path = pty.path as String] in
                try syscall("setsid") { setsid() }
                let terminal = try Terminal(path: path)
                try terminal.enter()
                try terminal.suspend()
                try #require(terminal.isEntered)
            }
            #expect(pty.shown(until: taken + given) == taken + given + taken + given)
        }

        /// Does as a shell does: waits until the program has stopped, and lets it go on.
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
