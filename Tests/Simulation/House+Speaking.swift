import Saleroom
import Server
import Wire

extension House {
    func speakDurable() {
        while let batch = commits.takeDurable() {
            var lines = batch.news.makeIterator()
            var newest: Int?
            for effect in batch.effects {
                world.witness.speak(effect, at: world.now)
                if case .news(let message, let seq) = effect, let line = lines.next() {
                    tellEverybody(message, seq, Array(batch.text[line]))
                    newest = seq
                } else {
                    perform(effect)
                }
            }
            guard let newest else { continue }
            room.told(upTo: newest, at: world.instant)
            world.witness.toldPrices(upTo: newest, at: world.now)
        }
    }

    func tellEverybody(_ message: ServerMessage, _ seq: Int, _ text: [UInt8]) {
        world.trace("  \(seq) \(message.words)")
        let json = message.line(.json, seq: seq, at: world.timeOfDay)
        tellOthers(seq, text: text, json: json)
        for connection in connections {
            connection.tell(
                connection.format == .text ? text : json, seq: seq,
                ringLines: world.plan.terms.ringLines)
        }
        world.newestTold = seq
    }

    func perform(_ effect: Effect) {
        guard let id = effect.session, let connection = connection(id) else { return }
        if case .admit = effect { connection.admittedAfter = world.newestTold }
        if id.shard > 0 {
            remotes[id.shard - 1].perform(effect)
        } else if case .confirm(_, let number) = effect {
            askedWhenSent.append((id, number))
        } else {
            connection.obey(effect, at: world.timeOfDay)
        }
    }
}

extension House {
    func abandon() {
        guard !hasFailed else { return }
        (hasFailed, isClosing) = (true, false)
        speakDurable()
        let lost = commits.takeLost() + room.takeEffects()
        for effect in lost.compactMap(\.ifLost) { perform(effect) }
        room.abandon()
        for effect in room.takeEffects() { perform(effect) }
        world.at(world.now + .seconds(1)) { [self] in
            if !isGone { world.restart() }
        }
    }

    /// Signs the journal below all that was kept, and ends when that is on the disk too.
    func closeIfDone() {
        guard commits.isIdle else { return }
        guard isSignedOff else {
            isSignedOff = true
            commits.signOff(at: world.timeOfDay)
            return writeSoon()
        }
        guard !loops.isEmpty else { return world.restart() }
        // The other loops have some time to say what they were given.
        guard !isLeaving else { return }
        isLeaving = true
        world.at(later(by: .milliseconds(300))) { [self] in
            if !isGone { world.restart() }
        }
    }
}
