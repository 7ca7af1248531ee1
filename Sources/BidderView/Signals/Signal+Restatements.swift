import Reactive
import Wire

extension Signal<Notice> {
    /// The news without the prices that lead again since a bid was voided: nobody bid just then.
    package var withoutRestatements: Signal<Notice> {
        typealias State = (voided: Int?, notice: Notice?)
        return scan(State(nil, nil)) { before, notice in
            switch notice {
            case .voided(_, _, let number, _): State(number, notice)
            case .price(let bid, _, _) where before.voided == bid.number + 1: State(nil, nil)
            default: State(nil, notice)
            }
        }
        .compactMap(\.notice)
    }
}
