import Wire

/// The observer that notes the first lot sold.
final class SaleRecord {
    /// The first sale; nil before it.
    private(set) var first: SoldLot?

    /// Begins with a sale that was made before, or without one.
    init(_ first: SoldLot? = nil) {
        self.first = first
    }

    /// Notes news of a winner.
    func receive(_ news: News) {
        guard first == nil, case .winner(let sale) = news.notice else { return }
        first = sale
    }
}
