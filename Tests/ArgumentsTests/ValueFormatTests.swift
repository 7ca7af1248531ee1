import Arguments
import Testing

@Suite struct ValueFormatTests {
    @Test(
        "a whole number is taken within its range",
        arguments: [
            ("1", 1), ("3600", 3600), ("007", 7),
        ])
    func whole(word: String, expected: Int) throws {
        #expect(try Server.program.run("--seconds", word)[Server.seconds] == expected)
    }

    @Test(
        "what is no whole number in the range is refused",
        arguments: [
            "x", "0", "3601", "-5", "+5", "5.0", "1e2", "0x10", "5s", " 5", "٥",
            "99999999999999999999",
        ])
    func notWhole(word: String) {
        let expected = Server.program.misuse(
            "--seconds must be a whole number from 1 to 3600, not '\(word)'")
        #expect(throws: expected) { try Server.program.parse(["--seconds", word]) }
    }

    @Test("a port beyond its type is refused, not trapped on")
    func port() {
        let expected = "--port must be a whole number from 0 to 65535, not '65536'"
        #expect(throws: Server.program.misuse(expected)) {
            try Server.program.parse(["--port", "65536"])
        }
    }

    @Test(
        "seconds are taken with and without a fraction",
        arguments: [
            ("0", Duration.zero), ("0.5", .milliseconds(500)), ("3", .seconds(3)),
            ("0.1", .milliseconds(100)), ("3600", .seconds(3600)), ("3600.0", .seconds(3600)),
            (".25", .milliseconds(250)), ("0.000000001", .nanoseconds(1)),
        ])
    func seconds(word: String, expected: Duration) throws {
        #expect(try Server.program.run("--pause", word)[Server.pause] == expected)
    }

    @Test(
        "what is no number of seconds in the range is refused",
        arguments: [
            "x", "-1", "3600.1", "1e3", "inf", "nan", "0x1", "1.2.3", ".", "1,5",
            String(repeating: "9", count: 400),
        ])
    func notSeconds(word: String) {
        let expected = Server.program.misuse(
            "--pause must be a number of seconds from 0 to 3600, not '\(word)'")
        #expect(throws: expected) { try Server.program.parse(["--pause", word]) }
    }

    @Test("each choice is taken by its raw value", arguments: Color.allCases)
    func choice(color: Color) throws {
        #expect(try Client.program.run("--color", color.rawValue, "watch")[Client.color] == color)
    }

    @Test("an invalid choice is answered with all choices")
    func notChoice() {
        let expected = "--color must be auto, always or never, not 'Never': did you mean never?"
        #expect(throws: Client.program.misuse(expected)) {
            try Client.program.parse(["--color", "Never", "watch"])
        }
        #expect(throws: Server.program.misuse("--self-raise must be allow or refuse, not 'no'")) {
            try Server.program.parse(["--self-raise", "no"])
        }
    }

    @Test("a program's own format is read like the others")
    func custom() throws {
        let even = ValueFormat<Int>(
            placeholder: "EVEN", expected: "an even number",
            read: { Int($0).flatMap { $0.isMultiple(of: 2) ? $0 : nil } }, write: { "\($0)" })
        let size = Flag("size", even, default: 2, help: "Size")
        let program = Program(
            name: "sized", version: "1", abstract: "Is sized.", flags: size, examples: [])
        #expect(try program.run("--size", "4")[size] == 4)
        #expect(program.complaint(about: "--size 3")?.contains("an even number, not '3'") == true)
    }
}
