import Auction
import House

extension TestClients {
    /// A sale of one lot after the other under these rules, with the auctioneer boss and the bidders
    /// al, bo and eve, who have received everything so far.
    static func playing(
        _ rules: Rules, _ plans: [LotPlan] = [], settings: GameSettings = GameSettings(),
        limits: Limits = .none
    ) -> TestClients {
        var clients = TestClients(
            rules, Catalogue(plans: plans), settings: settings, limits: limits)
        clients.preside()
        for client in ["al", "bo", "eve"] { clients.connectNamed(client) }
        clients.forget()
        return clients
    }

    /// Forgets what the clients have received.
    mutating func forget() {
        for client in ["al", "bo", "eve", "boss"] { _ = received(client) }
    }

    /// Continues after a crash, with nobody connected but boss.
    func restarted(
        _ rules: Rules, _ plans: [LotPlan] = [], settings: GameSettings = GameSettings()
    ) throws -> TestClients {
        let tokens = UInt64(100)
        var after = TestClients(
            rules, Catalogue(plans: plans), settings: settings,
            resuming: try recovered(journal), tokens: tokens)
        after.preside()
        _ = after.received("boss")
        return after
    }

    /// Opens the name of a client that owns it with the token of this number.
    mutating func comeBack(_ client: String, _ number: Int) -> [String] {
        join(client)
        _ = received(client)
        return send(client, "name \(client) \(token(number))")
    }
}

extension Rules {
    /// Rules of a lot of one of the formats that begin at the opening, for ten seconds.
    static func clocked(
        _ format: AuctionFormat, start: Int64 = 1, step: Int64 = 1, reserve: Int64? = nil,
        buy: Int64? = nil
    ) -> Rules {
        Rules(
            seconds: 10, start: price(start), step: price(step), format: format,
            reserve: reserve.map { price($0) }, buy: buy.map { price($0) })
    }
}
