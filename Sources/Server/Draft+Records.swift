import Saleroom
import Storage
import Wire

extension Draft {
    /// Writes the state with which a segment begins.
    init(_ state: [(record: Record, number: Int?)]) {
        self.init()
        for (record, number) in state {
            append(record, as: number.map { .restated($0) } ?? .note)
        }
    }

    /// Appends a line, and returns where its words stand.
    @discardableResult
    mutating func append(_ record: Record, as mark: Mark) -> Range<Int> {
        append(mark, aside: record.elapsedMilliseconds) { record.appendText(to: &$0) }
    }

    /// Appends what is to be kept of a turn, and returns where the words of its news stand.
    mutating func append(_ effects: [Effect]) -> [Range<Int>] {
        var news: [Range<Int>] = []
        for effect in effects {
            switch effect {
            case .news(let notice, let seq): news.append(append(.notice(notice), as: .event(seq)))
            case .note(let record): append(record, as: .note)
            case .admit, .reply, .send, .use, .skip, .holdNews, .releaseNews, .confirm, .close:
                break
            }
        }
        return news
    }
}
