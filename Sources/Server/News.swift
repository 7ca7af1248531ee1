import Saleroom
import Wire

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
