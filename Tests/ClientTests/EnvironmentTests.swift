import AuctionRules
import Client
import Testing

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

    @Test("a locale without UTF-8, or a plain console, shows ASCII alone", arguments: cases)
    func locale(environment: [String: String], isASCII: Bool) {
        #expect(showsOnlyASCII { environment[$0] } == isASCII)
    }
}

@Suite struct BidderLoginTests {
    @Test(
        "a login becomes a name that the server takes",
        arguments: [
            ("alice", "alice"), ("john.doe", "john-doe"), ("HOME\\ann", "HOME-ann"),
            ("-x", "x"), ("ann_1", "ann_1"), ("zo\u{EB}", "zo--"),
            ("an-even-longer-login-than-a-name-may-be", "an-even-longer-login-tha"),
        ])
    func name(login: String, expected: String) {
        #expect(Bidder(login: login)?.description == expected)
    }

    @Test("a login of which nothing can be part of a name is none", arguments: ["", "-", "\u{EB}"])
    func none(login: String) {
        #expect(Bidder(login: login) == nil)
    }
}
