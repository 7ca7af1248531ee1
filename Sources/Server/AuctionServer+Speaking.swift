import Posix
import Reactive
import Saleroom
import Wire

extension AuctionServer {
    /// Speaks whatever is durable by now: news through the subjects, replies to their connections.
    func speakDurable() {
        while let batch = commits.takeDurable() { speak(batch) }
    }

    private func speak(_ batch: Batch) {
        var newest: Int?
        var lines = batch.news.makeIterator()
        for (index, effect) in batch.effects.enumerated() {
            if case .news(let message, let seq) = effect, let line = lines.next() {
                let news = News(index, of: batch, line: line, seq: seq)
                subject(of: message).notify(news)
                newest = seq
            } else {
                perform(effect)
            }
        }
        if let newest { room.told(upTo: newest, at: .now) }
    }

    /// Does what concerns one connection.
    func perform(_ effect: Effect) {
        guard let id = effect.session else { return }
        output(of: id).perform(effect)
    }

    /// The loop that has the connection of a session.
    private func output(of id: SessionID) -> any ShardOutput {
        id.shard == 0 ? shard : others[id.shard - 1]
    }

    /// The subject whose observers a message concerns.
    private func subject(of message: ServerMessage) -> Subject<News> {
        switch message {
        case .price, .voided: price
        case .countdown, .last, .paused, .resumed: countdown
        case .winner: winner
        case .hello, .lot, .going, .passed, .over, .hammered, .kicked, .stopped, .joined, .left,
            .skipped, .bye, .lap, .who, .help, .ok, .error:
            calls
        }
    }
}

/// The observer that notes the first lot sold.
final class SaleRecord: Sendable {
    private let record: Locked<SoldLot?>

    /// Begins with a sale that was made before, or without one.
    init(_ first: SoldLot? = nil) {
        record = Locked(first)
    }

    /// The first sale; nil before it.
    var first: SoldLot? { record.withLock { $0 } }

    /// Notes news of a winner.
    func receive(_ news: News) {
        guard case .winner(let sale) = news.message else { return }
        record.withLock { $0 = $0 ?? sale }
    }
}
