import Load
import TestSupport
import Testing

@Suite("Answers")
struct AnswersTests {
    private static let streams: [(dialect: Dialect, stream: String, answers: [Answer])] = [
        (.redis, ":1000\r\n:0\r\n-ERR no\r\n:12\r\n", [.ok, .ok, .otherError, .ok]),
        (.redisScript, ":1\r\n:0\r\n-NOSCRIPT x\r\n", [.ok, .tooLow, .otherError]),
        (.nats, "+OK\r\nPING\r\n+OK\r\n-ERR 'x'\r\n", [.ok, .ok, .otherError]),
        (
            .floor, String(repeating: "PRICE 0000000001 bench 000000001\n", count: 3),
            [.ok, .ok, .ok]
        ),
        (.mqtt, "\u{40}\u{2}\0\u{1}\u{40}\u{2}\0\u{2}", [.ok, .ok]),
        (
            .auction, "OK bid 1\nPRICE 1 bench-1 00:00.1 1\nERROR too-low minimum=2 x\n",
            [.ok, .tooLow]
        ),
    ]

    @Test("answers are the same however their stream is split", arguments: 0..<UInt64(40))
    func splits(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for (dialect, stream, answers) in Self.streams {
            var (reader, heard) = (dialect.answers, [Answer]())
            for part in Array(stream.utf8).split(by: &random) {
                reader.receive(part.span) { heard.append($0) }
            }
            #expect(heard == answers, "\(dialect.name)")
            #expect(reader.pings == (dialect.name == "nats" ? 1 : 0))
        }
    }

    @Test(
        "prices are counted, and bytes from the first to the newest without the answers",
        arguments: 0..<UInt64(40))
    func news(seed: UInt64) {
        var skimmer = AnswerSkimmer()
        let stream = "PRICE 1 a 00:00.1 1\nLEFT b\n"
        skimmer.receive(Array(stream.utf8).span) { _ in }
        skimmer.countNews()
        #expect(skimmer.news == PriceNews())
        let news = "PRICE 2 a 00:00.2 2\nCOUNTDOWN 7\nOK bid 3\nPRICE 3 a 00:00.2 3\n"
        let more = Array("JOINED a\nOK bid 2\n\(news)COUNTDOWN 6\n".utf8)
        var random = SplitMix64(seed: seed)
        for part in more.split(by: &random) { skimmer.receive(part.span) { _ in } }
        #expect(skimmer.news?.prices == 2)
        #expect(skimmer.news?.bytes == news.utf8.count - "OK bid 3\n".utf8.count)
    }
}
