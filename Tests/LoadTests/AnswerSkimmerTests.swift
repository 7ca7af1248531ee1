import Load
import Testing

@Suite("AnswerSkimmer")
struct AnswerSkimmerTests {
    private static let stream = """
        HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)
        LOT 1 OK ERROR PRICE 7
        OK name bench-1 bde73f45cd6cc3c02386ec477c6370d1
        JOINED bench-1
        OK bid 100
        PRICE 100 bench-1 00:03.2 1
        COUNTDOWN 7
        ERROR too-low minimum=101 bid at least 101
        PRICE 1000000000000 bench-2 00:03.3 2
        ERROR leading price=100 you lead already, wait until somebody bids more
        ERROR closed no lot is open, wait for the next LOT line

        OVER 2

        """

    @Test("answers are told from news, in order")
    func answers() {
        let heard = skim([Self.stream])
        #expect(heard.answers == [.ok, .ok, .tooLow, .leading, .otherError])
    }

    @Test("the newest price is the one that counts")
    func price() {
        #expect(skim([Self.stream]).price == 1_000_000_000_000)
    }

    @Test("a line split anywhere is the same line", arguments: 0..<stream.utf8.count)
    func split(at index: Int) {
        let bytes = Array(Self.stream.utf8)
        let parts = [bytes[..<index], bytes[index...]].map { String(decoding: $0, as: UTF8.self) }
        let (heard, whole) = (skim(parts), skim([Self.stream]))
        #expect(heard.answers == whole.answers)
        #expect(heard.price == whole.price)
    }

    @Test("a stream of single bytes is the same stream")
    func byteByByte() {
        let heard = skim(Self.stream.map { String($0) })
        #expect(heard.answers == skim([Self.stream]).answers)
        #expect(heard.price == 1_000_000_000_000)
    }

    @Test(
        "an error is known by its word",
        arguments: [
            ("ERROR too-low minimum=2 x", .tooLow), ("ERROR leading price=1 x", .leading),
            ("ERROR name-taken x", .nameTaken), ("ERROR line-too-long x", .otherError),
            ("ERROR", .otherError),
        ] as [(String, Answer)])
    func errors(line: String, answer: Answer) {
        #expect(skim([line + "\n"]).answers == [answer])
    }

    @Test("a line without its end is no answer yet")
    func underWay() {
        #expect(skim(["OK bid 100"]).answers == [])
    }

    @Test(
        "a price that is no number does not trap",
        arguments: ["PRICE x", "PRICE ", "PRICE 99999999999999999999"])
    func badPrice(line: String) {
        #expect(skim([line + "\n"]).answers == [])
    }

    private func skim(_ parts: [String]) -> (answers: [Answer], price: Int64) {
        var skimmer = AnswerSkimmer()
        var answers: [Answer] = []
        for part in parts { skimmer.receive(Array(part.utf8).span) { answers.append($0) } }
        return (answers, skimmer.price)
    }
}
