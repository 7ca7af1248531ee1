import Auction
import Testing

@Suite struct TokenTests {
    private static let digits = "bde73f45cd6cc3c02386ec477c6370d1"
    /// The output of `printf %s bde73f45cd6cc3c02386ec477c6370d1 | sha256sum`.
    private static let hash = "311492738ea72a7a0ec586728b2147f86c683183b1299b6c2ebf32601ad55633"

    @Test("a token and its hash are printed as they are read")
    func printed() throws {
        let token = try #require(Token(Self.digits.uppercased()))
        #expect(token.description == Self.digits)
        #expect(Token(high: 1, low: 2).description.hasPrefix("0000000000000001"))
        #expect(TokenHash(of: token).description == Self.hash)
        #expect(TokenHash(Self.hash) == TokenHash(of: token))
        #expect(TokenHash(of: Token(high: 1, low: 2)) != TokenHash(of: token))
    }

    @Test("a hash recognizes its token in upper and lower case, and no other text")
    func spelled() throws {
        let hash = try #require(TokenHash(Self.hash))
        #expect(hash.isSpelled(Self.digits) && hash.isSpelled(Self.digits.uppercased()))
        let others = [
            "", "b", String(Self.digits.dropLast()), Self.digits + "1", Self.digits + " ",
            Self.digits.replacing("1", with: "0"), Self.digits.replacing("d", with: "g"),
            Self.digits.replacing("bd", with: "é"), Self.hash,
        ]
        for other in others { #expect(!hash.isSpelled(other), "\(other)") }
    }

    @Test(
        "what has another length, or another character, is no token and no hash",
        arguments: [
            "", "0", digits + "0", hash + "0", String(hash.dropLast()) + "g",
            digits + digits.dropLast(),
        ])
    func refused(text: String) {
        #expect(Token(text) == nil && TokenHash(text) == nil)
    }
}
