import AuctionRules
import Reactive
import Wire

extension Signal<[Bidder]> {
    /// Who is here: as loaded, and then as they come and go.
    package static func bidders(loaded: Signal<[Bidder]>, news: Signal<ServerMessage>) -> Signal<
        [Bidder]
    > {
        Signal<([Bidder]) -> [Bidder]>.merge([
            loaded.map { bidders in { _ in bidders } },
            news.compactMap { message in
                switch message {
                case .joined(let bidder): { $0.filter { $0 != bidder } + [bidder] }
                case .left(let bidder): { $0.filter { $0 != bidder } }
                default: nil
                }
            },
        ])
        .scan([]) { bidders, edit in edit(bidders) }
    }
}
