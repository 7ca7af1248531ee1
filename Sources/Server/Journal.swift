import Saleroom

/// The seam to what keeps the events of the room: nothing is spoken before it is durable.
protocol Journal {
    /// Makes a batch durable, and then hands it to `speak` on the loop's thread.
    ///
    /// Batches are spoken in the order in which they were committed. What a batch says that depends
    /// on an event before it, a refusal too, is spoken after that event.
    func commit(_ batch: [Effect], whenDurable speak: @escaping ([Effect]) -> Void)
}

/// A journal that keeps nothing: everything counts as durable at once.
struct ForgetfulJournal: Journal {
    func commit(_ batch: [Effect], whenDurable speak: @escaping ([Effect]) -> Void) {
        speak(batch)
    }
}
