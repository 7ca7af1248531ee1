import Auction
import Server
import Testing

@Suite struct LogLineTests {
    @Test(
        "an ambiguous value is quoted",
        arguments: [
            ("Vase", "Vase"), ("127.0.0.1:7777", "127.0.0.1:7777"), ("é日", "é日"), ("", #""""#),
            ("Blue vase", #""Blue vase""#), ("a=b", #""a=b""#), (#"a"b"#, #""a\"b""#),
            (#"a\b"#, #""a\\b""#), ("a\nlevel=error", #""a\u000alevel=error""#),
            ("\u{1B}[2J", #""\u001b[2J""#), ("x\u{202E}y", #""x\u202ey""#),
            ("\u{9B}1m", #""\u009b1m""#), ("\u{FEFF}", #""\ufeff""#), ("a\u{A0}b", "\"a\u{A0}b\""),
            ("\u{E0041}", #""\udb40\udc41""#), ("\u{7F}", #""\u007f""#),
        ])
    func values(value: String, written: String) {
        var line = LogLine([])
        line.add("key", value)
        #expect(String(decoding: line.bytes, as: UTF8.self) == " key=\(written)")
    }

    @Test("a line begins with its time, level and event")
    func beginning() throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: .info, clock: { 1_795_341_600_007 })
        log.write(.info, "bid") { line in
            line.add("lot", 1)
            line.add("bidder", "alice")
        }
        log.write(.warning, "empty")
        log.handOver()
        #expect(
            output.end() == [
                "time=2026-11-22T10:00:00.007Z level=info event=bid lot=1 bidder=alice",
                "time=2026-11-22T10:00:00.007Z level=warning event=empty",
            ])
    }

    @Test("a log has the lines of its level and of more severe ones", arguments: LogLevel.allCases)
    func levels(level: LogLevel) throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: level, clock: { 0 })
        for each in LogLevel.allCases { log.write(each, "x") { $0.add("of", each.rawValue) } }
        log.handOver()
        let expected = LogLevel.allCases.prefix { $0 != level } + [level]
        let levels = output.end().compactMap { $0.split(separator: "=").last.map(String.init) }
        #expect(levels == expected.map(\.rawValue))
    }

    @Test("a line is added in place: the lines gathered before it are not copied")
    func inPlace() throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: .info, clock: { 0 })
        var moves = 0
        for number in 0..<500 {
            log.write(.info, "x") { line in
                let before = line.address
                line.add("number", number)
                if line.address != before { moves += 1 }
            }
        }
        // The array moves when it grows, and then doubles.
        #expect(moves < 20)
        #expect(output.end().isEmpty)
    }

    @Test("what was asked for is written at any level")
    func answer() throws {
        let output = try LogOutput()
        let log = Log(output.writer, level: .error, clock: { 0 })
        log.answer("state") { $0.add("lot", 7) }
        log.handOver()
        #expect(output.end() == ["time=1970-01-01T00:00:00.000Z level=info event=state lot=7"])
    }
}

extension LogLine {
    fileprivate var address: UnsafePointer<UInt8>? {
        bytes.withUnsafeBufferPointer { $0.baseAddress }
    }
}
