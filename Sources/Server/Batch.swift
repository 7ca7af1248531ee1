import Saleroom

/// What came of one turn: all that is to be done, and its news as lines, encoded once for the
/// journal and for everybody who listens.
struct Batch {
    /// All that is to be done, in order.
    let effects: [Effect]
    /// The lines, one after the other.
    let text: [UInt8]
    /// Where in the text the line of each effect that is news stands, in order.
    let news: [Range<Int>]
}
