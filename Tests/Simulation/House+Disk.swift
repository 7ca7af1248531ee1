import Storage
import TestSupport

extension House {
    /// Lets the journal's thread, when it is free, take what is there, and write it for a while.
    func writeSoon() {
        guard !isTaking, !hasFailed else { return }
        isTaking = true
        world.at(later(by: .random(in: 1000...100_000, using: &dice))) { [self] in
            guard !isGone else { return }
            batch = journal.takeGroup()
            guard batch != nil else { return isTaking = false }
            world.at(later(by: world.diskDelay(&dice))) { [self] in keep() }
        }
    }

    func later(by delay: Duration) -> Duration {
        max(world.now + delay, standsStillUntil)
    }

    func keep() {
        guard !isGone, let batch = batch.take() else { return }
        if world.now < standsStillUntil {
            self.batch = consume batch
            return world.at(standsStillUntil) { [self] in keep() }
        }
        let isKept = journal.write(batch)
        if world.crashedInCall() { return }
        world.trace(isKept ? "the disk has kept a batch" : "the disk has failed")
        world.witness.read(disk.syncedContents)
        isTaking = false
        world.noteEvent()
        wake()
        if isKept { writeSoon() }
    }
}
