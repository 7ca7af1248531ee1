import Saleroom

/// What came of one turn: all that is to be done, and its news as lines, encoded once for the
/// journal and for everybody who listens.
package struct Batch {
    /// All that is to be done, in order.
    package let effects: [Effect]
    /// The lines, one after the other.
    package let text: [UInt8]
    /// Where in the text the line of each effect that is news stands, in order.
    package let news: [Range<Int>]
}
