import Client
import Posix
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What is shown when a terminal is taken over, and when it is given back.
let taken = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"
let given = "\u{1B}[m\u{1B}[?2026l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l"

@Suite(.serialized) struct TerminalTests {
    @Test("a terminal that is entered is raw, and shows an empty screen")
    func enters() throws {
        let pty = try PseudoTerminal()
        let terminal = try Terminal(path: pty.path)
        try terminal.enter()
        #expect(terminal.isEntered)
        #expect(pty.isRaw)
        #expect(pty.shown(until: taken) == taken)
    }

    @Test("a terminal that is left is as it was, and shows what it did before")
    func leaves() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try Terminal(path: pty.path)
        try terminal.enter()
        terminal.leave()
        #expect(!terminal.isEntered)
        #expect(Modes(pty.modes) == before)
        #expect(pty.shown(until: given) == taken + given)
    }

    @Test("to enter or leave a second time does nothing")
    func idempotence() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try Terminal(path: pty.path)
        terminal.leave()
        try terminal.resume()
        for _ in 1...2 { try terminal.enter() }
        for _ in 1...2 { terminal.leave() }
        #expect(pty.take() == Array((taken + given).utf8))
        #expect(Modes(pty.modes) == before)
    }

    @Test("a terminal that is released is given back")
    func releases() throws {
        let pty = try PseudoTerminal()
        do {
            let terminal = try Terminal(path: pty.path)
            try terminal.enter()
        }
        #expect(!pty.isRaw)
        #expect(pty.shown(until: given) == taken + given)
    }

    @Test("a terminal that others changed is taken over again, and still given back as it was")
    func resumes() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try Terminal(path: pty.path)
        try terminal.enter()
        pty.makeCooked()
        try terminal.resume()
        #expect(pty.isRaw)
        terminal.leave()
        #expect(Modes(pty.modes) == before)
        #expect(pty.shown(until: given) == taken + taken + given)
    }

    @Test("the size is what the terminal says", arguments: [(80, 24), (1, 1), (300, 90)])
    func size(columns: Int, rows: Int) throws {
        let pty = try PseudoTerminal(columns: UInt16(columns), rows: UInt16(rows))
        let terminal = try Terminal(path: pty.path)
        #expect(terminal.size == (columns, rows))
    }

    @Test("no terminal is larger than a screen can be")
    func immenseSize() throws {
        let pty = try PseudoTerminal(columns: .max, rows: .max)
        let terminal = try Terminal(path: pty.path)
        #expect(terminal.size == (1000, 1000))
    }

    @Test("a terminal that does not know its size has 80 columns and 24 rows")
    func unknownSize() throws {
        let pty = try PseudoTerminal(columns: 0, rows: 0)
        let terminal = try Terminal(path: pty.path)
        #expect(terminal.size == (80, 24))
    }

    @Test("what is no terminal cannot be entered")
    func noTerminal() throws {
        let terminal = try Terminal(path: "/dev/null")
        #expect(throws: SystemError(code: ENOTTY, call: "tcflow")) { try terminal.enter() }
        #expect(!terminal.isEntered)
    }
}

/// What of the modes a program may have changed.
struct Modes: Equatable {
    let input: tcflag_t
    let output: tcflag_t
    let control: tcflag_t
    let local: tcflag_t

    init(_ modes: termios) {
        (input, output) = (modes.c_iflag, modes.c_oflag)
        (control, local) = (modes.c_cflag, modes.c_lflag)
    }
}
