import AuctionRules
import Sale
import Saleroom

extension Visitors {
    /// A room with al and bo under their names, and boss, who is the auctioneer.
    static func presided(
        _ catalogue: Catalogue = Catalogue(), resuming recovered: SaleReplay? = nil
    ) -> Visitors {
        var visitors = Visitors(Rules(seconds: 7), catalogue, resuming: recovered)
        visitors.preside()
        visitors.joinNamed("al")
        visitors.joinNamed("bo")
        _ = visitors.hear("boss")
        return visitors
    }

    /// Lets boss come in, and become the auctioneer.
    mutating func preside() {
        room.auctioneerToken = .test
        join("boss")
        say("boss", "auctioneer \(String.auctioneerToken)")
    }
}

extension String {
    static let auctioneerToken = String(repeating: "c0ffee", count: 6)
}

extension AuctioneerToken {
    static var test: AuctioneerToken? { AuctioneerToken(String.auctioneerToken) }
}
