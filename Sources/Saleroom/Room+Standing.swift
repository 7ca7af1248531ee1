import AuctionRules

extension Room {
    /// How things stand in a room, at one look.
    public struct Standing: Equatable, Sendable {
        /// What the newest lot has come to.
        public enum Stage: String, Sendable {
            /// It can be bid for.
            case open
            /// It is sold or passed, and another follows.
            case closed
            /// It was the last.
            case over
        }

        /// The number of the newest lot.
        public let lot: Int
        /// What it has come to.
        public let stage: Stage
        /// Whether the auctioneer has interrupted the sale.
        public let isPaused: Bool
        /// The newest accepted bid on it, if there is one.
        public let leading: Bid?
        /// How many of those who are connected have a name.
        public let named: Int
    }

    /// The titles still to come, in order; nil if the lots never end.
    public var titlesAhead: [String]? {
        guard !catalogue.isEndless else { return nil }
        var titles: [String] = []
        while let lot = catalogue.lot(auction.lot.number + 1 + titles.count) {
            titles.append(lot.title)
        }
        return titles
    }

    /// How things stand now; O(1).
    public var standing: Standing {
        Standing(
            lot: auction.lot.number, stage: isOver ? .over : auction.isClosed ? .closed : .open,
            isPaused: auction.isPaused, leading: auction.leading,
            named: sale.names.presentCount)
    }
}
