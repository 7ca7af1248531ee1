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

    @Test("the end of a line is found at each place", arguments: 0..<40)
    func lineEndAtEachPlace(length: Int) {
        // Neighbours of LF, CR and the telnet introducer, and bytes that differ in one bit.
        let bytes: [UInt8] = [0, 9, 11, 12, 14, 15, 0x8A, 0x8D, 0x7F, 0xFE, 0x4A, 0x2D]
        let line = (0..<length).map { bytes[$0 % bytes.count] }
        var lengths: [Int] = []
        var framer = LineFramer()
        framer.receive((line + [10] + line + [13, 10] + line + [10]).span) { frame in
            if case .line(let line) = frame { lengths.append(line.count) }
        }
        #expect(lengths == [length, length, length])
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

    @Test("a too long line is reported before its end has come")
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

    static let fillers: [(sent: [UInt8], count: Int)] = [
        ([UInt8](repeating: 120, count: 1024 * 5), 4),
        ([UInt8](repeating: 120, count: 1024 * 5 - 1), 3),
        ([UInt8](repeating: 120, count: 1024 * 5 - 1) + [10], 4),
        ([255, 250] + [UInt8](repeating: 7, count: 2046), 2),
        ([UInt8](repeating: 241, count: 1024).flatMap { [255, $0] }, 2),
        ([UInt8](repeating: 1, count: 2000).flatMap { [255, 252, $0] }, 5),
        ([UInt8](repeating: 10, count: 4000), 0),
        ([UInt8](repeating: 120, count: 1000) + [10] + [UInt8](repeating: 120, count: 1000), 0),
        ([UInt8](repeating: 1, count: 1000).flatMap { [255, 253, $0] }, 0),
    ]

    @Test("bytes outside of lines are reported once per length of a line", arguments: fillers)
    func filler(sent: [UInt8], count: Int) {
        for size in [1, 7, 1000, 100_000] {
            var framer = LineFramer()
            var fillers = 0
            for start in stride(from: 0, to: sent.count, by: size) {
                let bytes = Array(sent[start..<min(start + size, sent.count)])
                framer.receive(bytes.span) { frame in
                    if case .filler = frame { fillers += 1 }
                }
            }
            #expect(fillers == count, "by \(size)")
        }
    }

    static let progress: [(sent: [UInt8], lines: UInt32, isUnfinished: Bool)] = [
        (Array("".utf8), 0, false), (Array("a".utf8), 0, true), (Array("a\n".utf8), 1, false),
        (Array("a\r".utf8), 0, true), (Array("a\r\nb".utf8), 1, true),
        ([UInt8](repeating: 120, count: 3000), 0, true),
        ([UInt8](repeating: 120, count: 3000) + [10], 1, false),
        ([255], 0, true), ([255, 253], 0, true), ([255, 253, 1], 0, false),
        ([255, 250, 1, 2], 0, true),
    ]

    @Test(
        "the framer knows how many lines have ended, and whether one is under way",
        arguments: progress)
    func knowsProgress(sent: [UInt8], lines: UInt32, isUnfinished: Bool) {
        for size in [1, 100_000] {
            var framer = LineFramer()
            for start in stride(from: 0, to: sent.count, by: size) {
                framer.receive(Array(sent[start..<min(start + size, sent.count)]).span) { _ in }
            }
            #expect(framer.lineCount == lines)
            #expect(framer.isUnfinished == isUnfinished)
        }
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
            case .filler: break
            }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            framer.receive(Array(bytes[start..<min(start + size, bytes.count)]).span, hear)
        }
        framer.finish(hear)
        return heard
    }
}
