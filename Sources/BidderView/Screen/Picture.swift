import Auction
import Drawing

/// What a view shows in place of the laps and the chart.
enum Picture {
    /// The asking prices of a Dutch lot over time.
    case asks
    /// The sealed bids on a lot: envelopes, and after the end the bids.
    case sealedBids
    /// The standings: at the end of the sale, or if the user asked for them.
    case standings
    /// The rooms of the server, because the user asked for them.
    case rooms
}

extension Model {
    /// Whether the sale is a game, in which bidders have purses or lots have values.
    package var isGame: Bool { lot.game != nil }

    /// Whether the champions are shown; the winner of the only lot of a sale is no news.
    var isCrowned: Bool {
        !sale.champions.isEmpty && (isGame || lot.lot > 1)
    }

    /// Whether the standings are shown in place of the lot: at the end, or if the user asked.
    package var showsStandings: Bool {
        !standings.isEmpty && (askedList == .standings || isGame && lot.stage == .over)
    }

    /// The picture in place of the laps and the chart; nil in an English auction.
    var picture: Picture? {
        if askedList == .rooms, !rooms.isEmpty { return .rooms }
        if showsStandings { return .standings }
        if lot.isFalling { return .asks }
        return lot.format.isSealed ? .sealedBids : nil
    }

    /// The parts of the view.
    package var parts: Layout.Parts {
        var parts: Layout.Parts = []
        if hasMoney { parts.insert(.money) }
        if hasTerms { parts.insert(.terms) }
        if picture != nil { parts.insert(.picture) }
        if isGame, !standings.isEmpty, picture != .standings { parts.insert(.standings) }
        return parts
    }
}

extension Layout {
    /// Divides a terminal of a size for a model.
    init(of model: Model, size: Size, isHelping: Bool) {
        self.init(
            size: size, isPlaying: model.bidder != nil, isHelping: isHelping, parts: model.parts)
    }
}

extension Frame {
    mutating func drawPicture(_ model: Model, in panel: Panel) {
        guard !panel.body.isEmpty else { return }
        switch model.picture {
        case .asks: drawChart(model, in: panel)
        case .sealedBids: drawSealedBids(model, in: panel)
        case .standings: drawStandings(model, in: panel)
        case .rooms: drawRooms(model, in: panel)
        case nil: break
        }
    }
}
