import Bidder
import Posix
import Terminal
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes that enter and leave the alternate screen.
let taken = "\u{1B}[22;2t" + resumed
/// What a terminal gets that continues after `SIGCONT`.
private let resumed = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?25l\u{1B}[2J\u{1B}[H"
let given = "\u{1B}[m\u{1B}[?2026l\u{1B}[?25h\u{1B}[?2004l\u{1B}[?7h\u{1B}[?1049l\u{1B}[23;2t"

@Suite(.serialized) struct TerminalDeviceTests {
    @Test("an entered terminal is raw, and shows an empty screen")
    func enters() throws {
        let pty = try PseudoTerminal()
        let terminal = try TerminalDevice(path: pty.path)
        try terminal.enter()
        #expect(terminal.isEntered)
        #expect(pty.isRaw)
        #expect(pty.shown(until: taken) == taken)
    }

    @Test("leaving restores the modes and the screen")
    func leaves() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try TerminalDevice(path: pty.path)
        try terminal.enter()
        terminal.leave()
        #expect(!terminal.isEntered)
        #expect(Modes(pty.modes) == before)
        #expect(pty.shown(until: given) == taken + given)
    }

    @Test("entering or leaving a second time does nothing")
    func idempotence() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try TerminalDevice(path: pty.path)
        terminal.leave()
        try terminal.resume()
        for _ in 1...2 { try terminal.enter() }
        for _ in 1...2 { terminal.leave() }
        #expect(pty.take() == Array((taken + given).utf8))
        #expect(Modes(pty.modes) == before)
    }

    @Test("releasing a terminal restores it")
    func releases() throws {
        let pty = try PseudoTerminal()
        do {
            let terminal = try TerminalDevice(path: pty.path)
            try terminal.enter()
        }
        #expect(!pty.isRaw)
        #expect(pty.shown(until: given) == taken + given)
    }

    @Test("resume enters again, and leaving still restores the first modes")
    func resumes() throws {
        let pty = try PseudoTerminal()
        let before = Modes(pty.modes)
        let terminal = try TerminalDevice(path: pty.path)
        try terminal.enter()
        pty.makeCooked()
        try terminal.resume()
        #expect(pty.isRaw)
        terminal.leave()
        #expect(Modes(pty.modes) == before)
        #expect(pty.shown(until: given) == taken + resumed + given)
    }

    @Test(
        "the size is that of the terminal, limited, or 80 by 24 if it is unknown",
        arguments: [
            ((80, 24), (80, 24)), ((1, 1), (1, 1)), ((300, 90), (300, 90)), ((0, 0), (80, 24)),
            ((.max, .max), (1000, 1000)),
        ] as [((UInt16, UInt16), (Int, Int))])
    func size(given: (UInt16, UInt16), size: (Int, Int)) throws {
        let pty = try PseudoTerminal(columns: given.0, rows: given.1)
        #expect(try TerminalDevice(path: pty.path).size == size)
    }

    @Test("a device that is no terminal cannot be entered")
    func noTerminal() throws {
        let terminal = try TerminalDevice(path: "/dev/null")
        #expect(throws: SystemError(code: ENOTTY, call: "tcflow")) { try terminal.enter() }
        #expect(!terminal.isEntered)
    }
}

/// The modes that a program may change.
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

extension TerminalDeviceTests {
    @Suite struct BytesTests {
        @Test("keys are read as typed, also those of signals")
        func keys() throws {
            let pty = try PseudoTerminal()
            let terminal = try TerminalDevice(path: pty.path)
            try terminal.enter()
            #expect(keys(of: terminal) == nil)
            try pty.type("b\r\u{3}\u{1A}\u{11}")
            #expect(keys(of: terminal) == "b\r\u{3}\u{1A}\u{11}")
            #expect(keys(of: terminal) == nil)
        }

        @Test("bytes are written unchanged")
        func writes() throws {
            let pty = try PseudoTerminal()
            let terminal = try TerminalDevice(path: pty.path)
            try terminal.enter()
            terminal.write(Array("one\ntwo".utf8))
            #expect(terminal.isDrained)
            #expect(pty.shown(until: "two") == taken + "one\ntwo")
        }

        @Test("a slow terminal does not block, and gets everything")
        func slow() throws {
            let pty = try PseudoTerminal()
            let terminal = try TerminalDevice(path: pty.path)
            try terminal.enter()
            let frame = (0..<1_000_000).map { UInt8(32 + $0 % 90) }
            terminal.write(frame)
            #expect(!terminal.isDrained)
            var shown = pty.take()
            while !terminal.isDrained {
                terminal.flush()
                shown += pty.take()
            }
            #expect(shown == Array(taken.utf8) + frame)
        }

        @Test("a terminal that does not read is restored without the rest of the frame")
        func stuck() throws {
            let pty = try PseudoTerminal()
            let terminal = try TerminalDevice(path: pty.path)
            try terminal.enter()
            terminal.write([UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))
            terminal.leave()
            #expect(terminal.isDrained)
            #expect(!pty.isRaw)
            #expect(String(decoding: pty.take(), as: UTF8.self).hasSuffix(given))
        }

        @Test("a closed terminal is at its end, and discards bytes")
        func gone() throws {
            var pty: PseudoTerminal? = try PseudoTerminal()
            let terminal = try TerminalDevice(path: try #require(pty).path)
            try terminal.enter()
            pty = nil
            #expect(keys(of: terminal)?.isEmpty == true)
            terminal.write(Array("who reads this?".utf8))
            #expect(terminal.isDrained)
            terminal.leave()
            #expect(throws: SystemError.self) { try terminal.enter() }
        }

        /// The typed bytes; nil if there are none, empty at the end.
        private func keys(of terminal: TerminalDevice) -> String? {
            var buffer = [UInt8](repeating: 0, count: 64)
            return terminal.read(into: &buffer).map {
                String(decoding: buffer[..<$0], as: UTF8.self)
            }
        }
    }
}

@Suite struct OnlyASCIITests {
    private static let cases: [(environment: [String: String], isASCII: Bool)] = [
        (["LANG": "en_US.UTF-8"], false), (["LANG": "C.utf8"], false), (["LANG": "C"], true),
        (["LANG": "de_DE.ISO-8859-1"], true), ([:], true), (["LANG": ""], true),
        (["LC_ALL": "C", "LC_CTYPE": "en_US.UTF-8", "LANG": "en_US.UTF-8"], true),
        (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], false),
        (["LC_CTYPE": "C", "LANG": "en_US.UTF-8"], true),
        (["LANG": "en_US.UTF-8", "TERM": "linux"], true),
        (["LANG": "en_US.UTF-8", "TERM": "vt100"], true),
        (["LANG": "en_US.UTF-8", "TERM": "xterm-256color"], false),
    ]

    @Test("a locale without UTF-8, or a plain console, shows only ASCII", arguments: cases)
    func locale(environment: [String: String], isASCII: Bool) {
        #expect(showsOnlyASCII { environment[$0] } == isASCII)
    }
}
