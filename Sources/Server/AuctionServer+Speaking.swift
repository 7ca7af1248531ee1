import Posix
import Reactive
import Saleroom
import Transport
import Wire

extension AuctionServer {
    /// Speaks whatever is durable by now: news through the subjects, replies to their connections.
    func speakDurable() {
        while let batch = clerk.takeDurable() { speak(batch) }
    }

    private func speak(_ batch: Batch) {
        var newest: Int?
        var lines = batch.news.makeIterator()
        for effect in batch.effects {
            if case .news(let notice, let seq) = effect, let line = lines.next() {
                let news = News(notice: notice, seq: seq, line: batch.text[line])
                subject(of: notice).notify(news)
                newest = seq
            } else {
                perform(effect)
            }
        }
        if let newest { room.told(upTo: newest, at: .now) }
    }

    /// Does what concerns one connection.
    func perform(_ effect: Effect) {
        switch effect {
        case .news, .note: break
        case .admit(let id): connections.follow(Handle(id), feed: Format.text.feed)
        case .reply(let notice, let seq, let id): reply(notice, seq: seq, to: Handle(id))
        case .send(let bytes, let id): connections.reply(Handle(id), bytes)
        case .use(let format, let id): use(format, for: Handle(id))
        case .skip(let id): skip(Handle(id))
        case .close(let id, let farewell): close(Handle(id), farewell)
        }
    }

    /// The subject whose observers a notice concerns.
    private func subject(of notice: Notice) -> Subject<News> {
        switch notice {
        case .price: price
        case .countdown: countdown
        case .winner: winner
        case .hello, .lot, .going, .passed, .over, .joined, .left, .skipped, .bye, .lap, .who,
            .help, .ok, .error:
            calls
        }
    }

    private func reply(_ notice: Notice, seq: Int? = nil, to handle: Handle) {
        feed.reply(notice, seq: seq, to: handle, as: formats[handle] ?? .text)
    }

    private func use(_ format: Format, for handle: Handle) {
        guard connections.isOpen(handle) else { return }
        formats[handle] = format == .text ? nil : format
        connections.follow(handle, feed: format.feed)
    }

    /// Says goodbye; who is far behind is told how much they will not hear.
    private func close(_ handle: Handle, _ farewell: Notice.Farewell?) {
        let missed = connections.unfollow(handle)
        if missed > 0 { reply(.skipped(missed), to: handle) }
        if let farewell { reply(.bye(farewell), to: handle) }
        connections.finish(handle, at: monotonicNanoseconds())
    }

    private func skip(_ handle: Handle) {
        reply(.skipped(connections.skip(handle)), to: handle)
    }
}

extension Handle {
    /// The connection of a session.
    init(_ id: SessionID) { self.init(rawValue: id.rawValue) }
}
