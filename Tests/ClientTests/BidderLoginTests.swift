import AuctionRules
import Client
import Testing

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
