import AuctionRules
import Lobby
import Wire

extension Witness {
    /// Reads what has come to the disk.
    func read(_ files: [String: [UInt8]]) {
        let before = log.last
        note(log.read(files))
        for words in log.events[before...] {
            if !kept.isRestating { explain(words) }
            note(kept.take(words))
        }
    }

    /// Takes what is about to be said: it has to be what was decided, in order, and on the disk.
    func speak(_ effect: Effect, at now: Duration) {
        guard waitingHead < waiting.count, waiting[waitingHead].effect == effect else {
            return report(.order, "\(effect) was not decided next")
        }
        let position = waiting[waitingHead].position
        waitingHead += 1
        if position > log.last { report(.durable, "\(effect) after \(log.last)") }
        switch effect {
        case .news(let message, let seq):
            guard seq <= log.last else { return }
            if log.events[seq - 1] != message.words { report(.durable, message.words) }
            told = seq
            if let index = marks.lastIndex(where: { $0.seq == seq }) { marks[index].told = now }
        case .note(.nameTaken(let bidder, let token)):
            let words = "NAME \(bidder) \(token)"
            if !log.names.contains(words) { report(.durable, words) }
            toldNames.insert(words)
        case .note, .admit, .reply, .restate, .send, .use, .skip, .holdNews, .releaseNews, .confirm,
            .close:
            break
        }
    }

    func toldPrices(upTo seq: Int, at now: Duration) {
        pace.told(upTo: seq, at: now)
    }

    /// A bid on the disk was asked for by somebody, once for each time.
    func explain(_ words: String) {
        guard case .price(let bid, _, _)? = ServerMessage(text: words) else { return }
        let key = Self.key(bid.bidder, bid.price.amount)
        applied[key, default: 0] += 1
        if applied[key, default: 0] > asked[key, default: 0] { report(.applied, words) }
    }

    static func key(_ bidder: Bidder, _ amount: Int64) -> String {
        "\(bidder) \(amount)"
    }
}
