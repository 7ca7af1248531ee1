import Auction
import House

extension TestClients {
    /// A lobby with the bidders al and bo, and the auctioneer boss.
    static func presided(
        _ catalogue: Catalogue = Catalogue(), resuming recovered: SaleReplay? = nil
    ) -> TestClients {
        var clients = TestClients(Rules(seconds: 7), catalogue, resuming: recovered)
        clients.preside()
        clients.connectNamed("al")
        clients.connectNamed("bo")
        _ = clients.received("boss")
        return clients
    }

    /// Connects boss, who becomes the auctioneer.
    mutating func preside() {
        lobby.auctioneerToken = .test
        join("boss")
        send("boss", "auctioneer \(String.auctioneerToken)")
    }
}

extension String {
    static let auctioneerToken = String(repeating: "c0ffee", count: 6)
}

extension AuctioneerToken {
    static var test: AuctioneerToken? { AuctioneerToken(String.auctioneerToken) }
}
