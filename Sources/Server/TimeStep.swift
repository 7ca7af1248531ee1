import AuctionRules

/// How far time may pass in the room: no further than every loop has been heard.
///
/// A bid that reached any loop before the hammer's instant is in time. So whatever is due waits
/// until all loops have reported what reached them by then.
package enum TimeStep: Equatable {
    /// Nothing is due yet.
    case none
    /// What is due until `heardUntil` is done now.
    case expire(heardUntil: Instant)
    /// Something is due, and other loops have not been heard up to that instant.
    case wait(for: Instant)

    /// Decides from when the room is next due, up to when the room's own loop has been heard, and
    /// up to when all the others have; nil where there is no other loop.
    package init(due: Instant?, heardUntil own: Instant, othersHeardUntil: Instant?) {
        guard let due, due <= own else {
            self = .none
            return
        }
        let heardUntil = othersHeardUntil.map { min($0, own) } ?? own
        self = heardUntil < due ? .wait(for: due) : .expire(heardUntil: heardUntil)
    }
}
