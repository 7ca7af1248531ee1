import Sale
import TestSupport
import Testing

@Suite struct GameIDTests {
    @Test("an identity that is drawn is read again, and has no characters that look alike")
    func drawn() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<200 {
            let game = GameID(using: &generator)
            #expect(GameID(game.description) == game)
            #expect(game.description.utf8.count == 6)
            #expect(!game.description.contains { "01ilo".contains($0) })
        }
    }

    @Test(
        "what is no identity is none", arguments: ["", "k3v", "k3v9k3v9x", "K3V9", "k3 v9", "k3-9"])
    func refused(word: String) {
        #expect(GameID(word) == nil)
    }
}
