import Lobby
import Reactive
import Wire

/// What happens in one room, as subjects that publish each piece of its news once and in order.
///
/// They remember nothing: news keeps the batch of its step in memory, which a quiet room must not.
final class RoomSubjects {
    /// The price, as accepted bids set it, and voided ones give it back.
    let price = Subject<News>(remembering: 0)
    /// The one countdown, which each accepted bid resets, and a pause stops.
    let countdown = Subject<News>(remembering: 0)
    /// Who has won, as each hammer falls.
    let winner = Subject<News>(remembering: 0)
    /// All other news: lots, warnings, arrivals and departures.
    let calls = Subject<News>(remembering: 0)
    private var subscriptions: [Subscription] = []

    /// Registers an observer of all news, which comes before the observers that follow.
    func observe(_ observer: @escaping (News) -> Void) {
        for subject in [price, countdown, winner, calls] {
            subscriptions.append(subject.observe { observer($0) })
        }
    }

    /// Registers an observer of the winners.
    func observeWinner(_ observer: @escaping (News) -> Void) {
        subscriptions.append(winner.observe { observer($0) })
    }

    /// The subject whose observers news concerns.
    func subject(of news: Effect) -> Subject<News> {
        switch news {
        case .news(.price, _, _), .news(.voided, _, _), .news(.ask, _, _): price
        case .news(.countdown, _, _), .news(.last, _, _), .news(.paused, _, _),
            .news(.resumed, _, _):
            countdown
        case .news(.winner, _, _): winner
        default: calls
        }
    }
}
