import AuctionRules

/// How far time may advance in the room: only as far as every loop has been read.
///
/// A bid that reached any loop before the hammer's instant is in time. So due events wait until all
/// loops have reported their input up to then.
package enum TimeStep: Equatable {
    /// Nothing is due yet.
    case none
    /// What is due until `heardUntil` is done now.
    case expire(heardUntil: Instant)
    /// Something is due, and other loops have not been read up to that instant.
    case wait(for: Instant)

    /// Decides from when the room is next due, and how far each loop has been read.
    ///
    /// `othersHeardUntil` is nil if there is no other loop.
    package init(due: Instant?, heardUntil own: Instant, othersHeardUntil: Instant?) {
        guard let due, due <= own else {
            self = .none
            return
        }
        let heardUntil = othersHeardUntil.map { min($0, own) } ?? own
        self = heardUntil < due ? .wait(for: due) : .expire(heardUntil: heardUntil)
    }
}
