import Posix
import Testing

@Suite struct OpenFileLimitTests {
    @Test("raising the limit twice gives the same limit")
    func idempotent() throws {
        let limit = try raiseOpenFileLimit()
        #expect(limit > 0)
        #expect(try raiseOpenFileLimit() == limit)
    }
}
