import Testing
import Wire

@Suite struct LineFramerTests {
    static let streams: [(sent: String, heard: [String])] = [
        ("bid 5\n", ["bid 5"]),
        ("bid 5\r\n", ["bid 5"]),
        ("bid 5\r\u{0}", ["bid 5"]),
        ("a\nb\r\nc\r\u{0}d\n", ["a", "b", "c", "d"]),
        ("\n\n", ["", ""]),
        ("\r\n", [""]),
        ("a\rb\n", ["a\rb"]),
        ("a\r\r\n", ["a\r"]),
        ("last without end", ["last without end"]),
        ("last\r", ["last"]),
        ("a\u{0}b\n", ["a\u{0}b"]),
        ("é\n", ["é"]),
        ("", []),
    ]

    @Test("a line ends with LF, CRLF, CR NUL or the stream", arguments: streams)
    func lineEnds(sent: String, heard: [String]) {
        for size in [1, 2, 3, 1000] {
            #expect(frames(of: Array(sent.utf8), by: size) == heard)
        }
    }

    @Test(
        "a line of 1,024 bytes with its end is whole, and one byte more is too long",
        arguments: [
            (1023, "\n", false), (1024, "\n", true), (1022, "\r\n", false), (1023, "\r\n", true),
            (1023, "", false), (1024, "", true), (70_000, "\n", true),
        ])
    func limit(length: Int, end: String, isTooLong: Bool) {
        let line = String(repeating: "x", count: length)
        let next = end.isEmpty ? "" : "next\n"
        let heard = [isTooLong ? "TOO LONG" : line] + (end.isEmpty ? [] : ["next"])
        for size in [1, 7, 100_000] {
            #expect(frames(of: Array((line + end + next).utf8), by: size) == heard)
        }
    }

    @Test("a line too long is told before its end has come")
    func tooLongAtOnce() {
        var framer = LineFramer()
        var count = 0
        framer.receive([UInt8](repeating: 120, count: 1024).span) { _ in count += 1 }
        #expect(count == 1)
    }

    static let telnet: [(sent: [UInt8], heard: [String], answered: [UInt8])] = [
        ([255, 253, 1, 0x61, 10], ["a"], [255, 252, 1]),
        ([255, 251, 3, 0x61, 10], ["a"], [255, 254, 3]),
        ([0x61, 255, 252, 1, 255, 254, 1, 0x62, 10], ["ab"], []),
        ([0x61, 255, 250, 24, 10, 255, 255, 1, 255, 240, 0x62, 10], ["ab"], []),
        ([0x61, 255, 241, 0x62, 10], ["ab"], []),
        ([255, 253, 10, 10], [""], [255, 252, 10]),
    ]

    @Test("telnet negotiation is read past, and refused", arguments: telnet)
    func negotiation(sent: [UInt8], heard: [String], answered: [UInt8]) {
        for size in [1, 2, 100] {
            var framer = LineFramer()
            var answers: [UInt8] = []
            #expect(frames(of: sent, by: size, with: &framer, answers: &answers) == heard)
            #expect(answers == answered)
        }
    }

    @Test("a doubled introducer is a byte of data")
    func escapedIntroducer() {
        var framer = LineFramer()
        var heard: [UInt8] = []
        framer.receive([UInt8]([0x61, 255, 255, 0x62, 10]).span) { frame in
            if case .line(let line) = frame {
                for index in line.indices { heard.append(line[index]) }
            }
        }
        #expect(heard == [0x61, 255, 0x62])
    }

    @Test("negotiation in a line too long is still answered, and holds nothing")
    func negotiationWhileSkipping() {
        var framer = LineFramer()
        let sent = [UInt8](repeating: 120, count: 2000) + [255, 253, 1, 255, 255, 10, 0x61, 10]
        var answers: [UInt8] = []
        #expect(frames(of: sent, by: 1, with: &framer, answers: &answers) == ["TOO LONG", "a"])
        #expect(answers == [255, 252, 1])
    }

    private func frames(of bytes: [UInt8], by size: Int) -> [String] {
        var framer = LineFramer()
        var answers: [UInt8] = []
        return frames(of: bytes, by: size, with: &framer, answers: &answers)
    }

    private func frames(
        of bytes: [UInt8], by size: Int, with framer: inout LineFramer, answers: inout [UInt8]
    ) -> [String] {
        var heard: [String] = []
        func hear(_ frame: borrowing LineFramer.Frame) {
            switch frame {
            case .line(let line):
                heard.append(
                    line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
            case .tooLong(let beginning):
                #expect(beginning.count > 1000)
                heard.append("TOO LONG")
            case .negotiation(let answer): answers += answer
            }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            framer.receive(Array(bytes[start..<min(start + size, bytes.count)]).span, hear)
        }
        framer.finish(hear)
        return heard
    }
}
