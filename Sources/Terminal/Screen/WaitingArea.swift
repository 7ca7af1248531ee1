import Bidder
import Wire

extension Frame {
    /// Draws who is here before the start of a sale, how others join, and what the user can type.
    mutating func drawWaiting(_ model: Model, in panel: Panel) {
        writeTitle("here", in: panel)
        var area = panel.body
        let room = model.room ?? .main
        let invitation = model.server.invitation(to: room)
            .flatMap { $0.wrapped(to: area.columns, lines: 2) }
        let orders = model.bidder == nil ? [] : model.isHost ? Self.hostOrders : Self.orders
        let people = min(max(1, area.rows - invitation.count - 1), (model.bidders?.count ?? 0) + 1)
        // Beside the names if there is room for two columns, else below them.
        let isBeside = area.columns >= 100
        var crowd = isBeside ? area.take(area.columns / 2, from: .left) : area
        if !isBeside {
            let needed = min(people, max(1, area.rows - invitation.count - orders.count - 2))
            crowd = area.take(needed, from: .top)
            if area.rows > invitation.count { _ = area.take(1, from: .top) }
        }
        drawCrowd(model, in: crowd)
        for (row, line) in invitation.enumerated() where row < area.rows {
            write(line, row, in: area, style: .heading)
        }
        _ = area.take(invitation.count + 1, from: .top)
        for (row, order) in orders.enumerated() where row < area.rows {
            write(order.key, row, in: area, style: .you)
            write(order.meaning, row, in: area, from: 16, style: .faint)
        }
    }

    private static let orders = [
        (key: "say hello", meaning: "to everybody"),
        (key: "react 👏", meaning: "or another sign"),
        (key: "display Zoë", meaning: "how people call you"),
        (key: "auctioneer KEY", meaning: "be the host, who starts the sale"),
    ]

    private static let hostOrders = [
        (key: "start", meaning: "open the first lot"),
        (key: "title 1 Vase", meaning: "name a lot to come"),
        (key: "add Vase", meaning: "add a lot"),
    ]
}

extension Model {
    /// The purse, the values and the lots of the game, in words.
    var gameTerms: String {
        let values = lot.game?.values.map { values in
            "values \(values.range.lowerBound.grouped) to \(values.range.upperBound.grouped)"
        }
        let lots = lot.lots.map { "\(Int64($0 - lot.firstLot + 1).grouped) lots" }
        return [lots, lot.game?.purse.map { "purse \($0.grouped)" }, values].compactMap { $0 }
            .joined(separator: ", ")
    }
}
