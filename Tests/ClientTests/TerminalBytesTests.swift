import Client
import Posix
import TestSupport
import Testing

extension TerminalTests {
    @Suite struct BytesTests {
        @Test("keys are read as they are typed, those of signals too")
        func keys() throws {
            let pty = try PseudoTerminal()
            let terminal = try Terminal(path: pty.path)
            try terminal.enter()
            #expect(keys(of: terminal) == (.wouldBlock, ""))
            try pty.type("b\r\u{3}\u{1A}\u{11}")
            #expect(keys(of: terminal) == (.bytes(5), "b\r\u{3}\u{1A}\u{11}"))
            #expect(keys(of: terminal) == (.wouldBlock, ""))
        }

        @Test("what is written is shown, unchanged")
        func writes() throws {
            let pty = try PseudoTerminal()
            let terminal = try Terminal(path: pty.path)
            try terminal.enter()
            terminal.write(Array("one\ntwo".utf8))
            #expect(terminal.isDrained)
            #expect(pty.shown(until: "two") == taken + "one\ntwo")
        }

        @Test("a slow terminal is not waited for, and gets everything in the end")
        func slow() throws {
            let pty = try PseudoTerminal()
            let terminal = try Terminal(path: pty.path)
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

        @Test("a terminal that takes nothing is left all the same, without the rest of its frame")
        func stuck() throws {
            let pty = try PseudoTerminal()
            let terminal = try Terminal(path: pty.path)
            try terminal.enter()
            terminal.write([UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000))
            terminal.leave()
            #expect(terminal.isDrained)
            #expect(!pty.isRaw)
            #expect(String(decoding: pty.take(), as: UTF8.self).hasSuffix(given))
        }

        @Test("a terminal whose person has gone is at its end, and takes everything")
        func gone() throws {
            var pty: PseudoTerminal? = try PseudoTerminal()
            let terminal = try Terminal(path: try #require(pty).path)
            try terminal.enter()
            pty = nil
            #expect(keys(of: terminal) == (.end, ""))
            terminal.write(Array("who reads this?".utf8))
            #expect(terminal.isDrained)
            terminal.leave()
            #expect(throws: SystemError.self) { try terminal.enter() }
        }

        private func keys(of terminal: Terminal) -> (TerminalReading, String) {
            var buffer = [UInt8](repeating: 0, count: 64)
            let outcome = buffer.withUnsafeMutableBytes { terminal.read(into: $0) }
            guard case .bytes(let count) = outcome else { return (outcome, "") }
            return (outcome, String(decoding: buffer[..<count], as: UTF8.self))
        }
    }
}
