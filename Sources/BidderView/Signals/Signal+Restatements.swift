import Reactive
import Wire

extension Signal<ServerMessage> {
    /// The news without the prices that lead again since a bid was voided: nobody bid just then.
    package var withoutRestatements: Signal<ServerMessage> {
        typealias State = (voided: Int?, message: ServerMessage?)
        return scan(State(nil, nil)) { before, message in
            switch message {
            case .voided(_, _, let number, _): State(number, message)
            case .price(let bid, _, _) where before.voided == bid.number + 1: State(nil, nil)
            default: State(nil, message)
            }
        }
        .compactMap(\.message)
    }
}
