import Auction
import House
import Journal

// What is durable and published, and what a start finds.
extension Oracle {
    /// Reads what has come to the disk.
    func read(_ files: [String: [UInt8]]) {
        let segment = log.newestFirst
        note(log.read(files))
        guard segment > 0, log.newestFirst > segment else { return }
        count(.newSegment)
        if live.count > 1 { count(.newSegmentWithRooms) }
    }

    /// Requires that what was durable at the end of its step is published in it.
    func checkPrompt(isIdle: Bool, hasFailed: Bool) {
        count(.durableInStep)
        if !isIdle, !hasFailed { report(.prompt, "something waits at event \(position)") }
    }

    /// Takes what is published: it must be what was decided, in order, and durable; returns the
    /// room that it concerns.
    func checkPublished(_ effect: Effect) -> RoomReferee? {
        guard let (room, position) = unpublished.take(effect) else {
            report(.order, "\(effect) was not decided next")
            return nil
        }
        if position > log.last { report(.durable, "\(effect) after \(log.last)") }
        guard let room else { return nil }
        guard let found = log.room(room.id) else {
            report(.durable, "\(room.name) is not in the log: \(effect)")
            return room
        }
        room.publish(effect, found)
        classroom?.publish(effect, in: room)
        switch effect {
        case .journalRoom(.roomOpened): room.isOpeningPublished = true
        case .journalRoom(.roomEnded):
            room.isEndPublished = true
            if !found.hasEnded { report(.durable, "the end of \(room.name)") }
        default: break
        }
        return room
    }

    /// Lets the times run that are published by now.
    func noteTold(at now: Duration) {
        for room in rooms where !room.hasEnded { room.noteTold(at: now) }
    }

    func note(_ upkeep: Upkeep) {
        switch upkeep {
        case .removed:
            count(.removedSegment)
            hasUpkeepFailed = false
        case .failed: hasUpkeepFailed = true
        case .nearlyFull, .diskNearlyFull: break
        }
    }

    // Starts

    /// Begins again with what a start has found on its disk.
    func recover(_ files: [String: [UInt8]], at now: Duration) {
        let before = log
        log = LogReader(after: before)
        amounts.forgetApplied()
        (live, ids, numbered, snapshotRoom) = ([:], [:], [:], nil)
        (unpublished, usage) = (UnpublishedEffects(), Usage(loops: terms.loops))
        read(files)
        log.rememberEndedRooms()
        rooms = rooms.filter { room in
            if log.room(room.id) != nil { return true }
            if room.isOpeningPublished { report(.kept, "\(room.name) is lost") }
            return false
        }
        for found in log.rooms { recover(found, before.room(found.id), at: now) }
        (ids[.main], logged) = (live[.main], rooms.first { $0.id == log.currentRoom })
        let found = log.replay.rooms.first { $0.name == .classroom }
        classroom?.recover(found?.sale.state.map(\.record), at: now)
        if log.firstKept > 1 { count(.startWithoutOldSegments) }
        if live.count > 1 {
            count(.startWithRooms)
            if log.firstKept > 1 { count(.startFromStates) }
        }
        (position, hasUpkeepFailed) = (log.last, false)
    }

    private func recover(_ found: LogReader.Room, _ former: LogReader.Room?, at now: Duration) {
        guard let room = rooms.first(where: { $0.id == found.id }) else {
            return report(.applied, "nobody opened \(found.id)")
        }
        guard !found.hasEnded else {
            return room.recover(found, after: former, nil, at: now)
        }
        if room.isEndPublished { report(.kept, "\(room.name) has ended, and is there") }
        let other = log.replay.rooms.first { $0.name == room.name }
        if room.name != .main, other?.keyHash != room.keyHash || other?.options != room.options {
            report(.kept, "\(room.name) has another key or other options")
        }
        live[room.name] = room
        let sale = room.name == .main ? log.replay.main : other?.sale
        room.recover(found, after: former, sale, at: now)
    }
}

/// What was decided and not published, in order.
struct UnpublishedEffects {
    private var effects: [(effect: Effect, room: RoomReferee?, position: Int)] = []
    /// The place of the next one.
    private var head = 0

    /// Adds an effect of a room after the event with this number, counted over all rooms.
    mutating func append(_ effect: Effect, in room: RoomReferee?, after position: Int) {
        effects.append((effect, room, position))
    }

    /// Removes the next effect; nil if it is another one.
    mutating func take(_ effect: Effect) -> (room: RoomReferee?, position: Int)? {
        guard head < effects.count, effects[head].effect == effect else { return nil }
        defer { head += 1 }
        return (effects[head].room, effects[head].position)
    }
}
