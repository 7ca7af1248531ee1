import Testing
import Web

@Suite struct HTTPOpeningTests {
    private static let cases: [(bytes: String, opening: HTTPOpening)] = [
        ("", .undecided),
        ("G", .undecided),
        ("GET", .undecided),
        ("GET ", .http),
        ("GET /ws HTTP/1.1\r\n", .http),
        ("P", .undecided),
        ("PO", .undecided),
        ("POST ", .http),
        ("PATCH ", .http),
        ("CONNECT ", .http),
        ("OPTIONS ", .http),
        ("PRI * HTTP/2.0\r\n", .http),
        ("PRIC", .other),
        ("get /", .other),
        ("GETS", .other),
        ("GET\t/", .other),
        ("GET\n", .other),
        ("bid 100\n", .other),
        ("\r\nGET / HTTP/1.1", .other),
        ("100\n", .other),
    ]

    @Test("a method in capitals and a space begin HTTP", arguments: cases)
    func opening(bytes: String, opening: HTTPOpening) {
        #expect(HTTPOpening.of(Array(bytes.utf8).span) == opening)
    }
}
