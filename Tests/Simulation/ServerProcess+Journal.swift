import Basics
import House
import Journal
import Server

// The journal, and the thread that writes it.
extension ServerProcess {
    /// Shows the oracle what a step has written itself; false if the server crashed in that.
    func finishImmediateWrite(_ outputs: StepOutputs) -> Bool {
        guard world.plan.terms.logMode == .immediate else { return true }
        if world.crashedInCall() { return false }
        noteUpkeep()
        guard outputs.decided != nil else { return true }
        let hasFailed = journal.progress.failure != nil
        oracle.checkPrompt(isIdle: house.commits.isIdle, hasFailed: hasFailed)
        if hasFailed {
            oracle.logFailedAt = world.now
            wake()
        }
        return true
    }

    /// Writes what waits: on the loop's own thread, or soon on the journal's.
    func write() {
        guard !isGone, !isWriting, journal.progress.failure == nil,
            world.plan.terms.logMode != .immediate
        else { return }
        isWriting = true
        guard journal.isInlineDue else {
            return world.at(later(by: .random(in: 1000...100_000, using: &dice))) { [self] in
                beginWrite()
            }
        }
        oracle.count(.inlineWrite)
        let delay = world.diskDelay(&dice)
        let patience = Duration.nanoseconds(WriteWatch.patienceNanoseconds)
        timer?.standStill(for: min(delay, patience))
        if delay > patience {
            oracle.count(.slowInlineWrite)
            world.at(later(by: patience)) { [self] in journal.allowInline(false) }
        }
        group = journal.takeGroup()
        world.at(later(by: delay)) { [self] in finishWrite(isInline: true) }
    }

    private func beginWrite() {
        guard !isGone else { return }
        group = journal.takeGroup()
        guard group != nil else {
            isWriting = false
            removeOldSegments()
            return
        }
        world.at(later(by: world.diskDelay(&dice))) { [self] in finishWrite(isInline: false) }
    }

    private func later(by delay: Duration) -> Duration {
        max(world.now + delay, standsStillUntil)
    }

    private func finishWrite(isInline: Bool) {
        guard !isGone, let group = group.take() else { return }
        if world.now < standsStillUntil {
            self.group = consume group
            return world.at(standsStillUntil) { [self] in finishWrite(isInline: isInline) }
        }
        let isWritten = journal.write(group)
        if world.crashedInCall() { return }
        world.trace(isWritten ? "the disk has a group" : "the disk has failed")
        if !isWritten { oracle.logFailedAt = world.now }
        oracle.read(disk.syncedContents)
        isWriting = false
        if isInline { journal.allowInline(true) }
        world.noteEvent()
        wake()
        guard isWritten, !removeOldSegments() else { return }
        write()
    }

    /// Removes the segments that are in excess; true if the server crashed in that.
    @discardableResult
    private func removeOldSegments() -> Bool {
        while journal.removeOldSegment() {}
        noteUpkeep()
        return world.crashedInCall()
    }

    private func noteUpkeep() {
        for upkeep in journal.takeUpkeep() { oracle.note(upkeep) }
    }
}
