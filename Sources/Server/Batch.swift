import Saleroom

/// The result of one turn: all that is to be done, and its news as lines.
///
/// Each line is encoded once for the journal and for everybody who listens. A class, so that `News`
/// refers to its batch and is passed on without a copy.
package final class Batch: Sendable {
    /// All that is to be done, in order.
    package let effects: [Effect]
    /// The lines, one after the other.
    package let text: [UInt8]
    /// Where in the text the line of each effect that is news stands, in order.
    package let news: [Range<Int>]

    init(effects: [Effect], text: [UInt8], news: [Range<Int>]) {
        (self.effects, self.text, self.news) = (effects, text, news)
    }
}
