import Saleroom
import Wire

/// The observer through which every connection hears the news: each line is encoded once per
/// format, and appended once to the feed of each shard, which its connections follow.
final class NewsFeed {
    private let audiences: [any Audience]
    private var line: [UInt8] = []

    init(_ audiences: [any Audience]) {
        self.audiences = audiences
    }

    /// Appends a line of news to the feed of each format, encoded if somebody hears it.
    func receive(_ news: News) {
        for audience in audiences { audience.append(news.line, as: .text) }
        guard audiences.contains(where: { $0.hears(.json) }) else { return }
        line.removeAll(keepingCapacity: true)
        news.notice.append(to: &line, as: .json, seq: news.seq)
        for audience in audiences where audience.hears(.json) {
            audience.append(line[...], as: .json)
        }
    }
}

/// What everybody is told: a notice, and its number among all news.
struct News: Sendable {
    private let batch: Batch
    private let effect: Int
    private let range: Range<Int>
    /// The number; it counts up by one without a gap.
    let seq: Int

    /// Refers to an effect of a batch by its index, and to its line in the batch's text.
    init(_ effect: Int, of batch: Batch, line: Range<Int>, seq: Int) {
        (self.effect, self.batch, range, self.seq) = (effect, batch, line, seq)
    }

    /// What is told; each access makes a copy.
    var notice: Notice {
        guard case .news(let notice, _) = batch.effects[effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return notice
    }

    /// The line of text, with its end: the same bytes that the journal keeps.
    var line: ArraySlice<UInt8> { batch.text[range] }
}

/// Some of those who are connected, as the saleroom speaks to them.
package protocol Audience: AnyObject {
    /// Whether anybody would hear news in a format.
    func hears(_ format: Format) -> Bool
    /// Tells everybody who hears a format one or more lines of news.
    func append(_ lines: ArraySlice<UInt8>, as format: Format)
    /// Does what concerns one connection.
    func perform(_ effect: Effect)
}
