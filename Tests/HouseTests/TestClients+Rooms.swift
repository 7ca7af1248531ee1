import Auction
import House

extension TestClients {
    /// Two rooms; `al` has opened blue and is in it, `bo` is in main.
    static func twoRooms(_ options: String = "", limits: Limits = .none) -> TestClients {
        var clients = TestClients(limits: limits)
        clients.connectNamed("al")
        clients.connectNamed("bo")
        clients.send("al", "open blue seconds=3\(options)")
        _ = clients.received("bo")
        return clients
    }

    /// Connects a client that has received its greeting.
    mutating func connect(_ client: String) {
        join(client)
        _ = received(client)
    }
}

/// The identity of the sale in the room that got the token with this number as its key.
func saleIdentity(_ number: Int) -> String {
    Token(token(number)).map { Identity(ofSaleWithKey: $0).description } ?? "none"
}
