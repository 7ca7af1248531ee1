import Saleroom
import Server
import Wire

extension House {
    func speakDurable() {
        while let batch = clerk.takeDurable() {
            var lines = batch.news.makeIterator()
            var newest: Int?
            for effect in batch.effects {
                world.witness.speak(effect, at: world.now)
                if case .news(let notice, let seq) = effect, let line = lines.next() {
                    tellEverybody(notice, seq, Array(batch.text[line]))
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

    func tellEverybody(_ notice: Notice, _ seq: Int, _ text: [UInt8]) {
        world.trace("  \(seq) \(notice.words)")
        let json = notice.line(.json, seq: seq, at: world.timeOfDay)
        for connection in connections {
            connection.tell(
                connection.format == .text ? text : json, seq: seq,
                ringLines: world.plan.terms.ringLines)
        }
        world.newestTold = seq
    }

    func perform(_ effect: Effect) {
        guard let id = effect.session, let connection = connection(id) else { return }
        switch effect {
        case .news, .note: break
        case .admit: connection.follow(after: world.newestTold)
        case .reply(let notice, let seq, _):
            connection.reply(notice, seq: seq, at: world.timeOfDay)
        case .send(let bytes, _): connection.send(bytes)
        case .use(let format, _): connection.format = format
        case .holdNews: connection.holdNews()
        case .releaseNews:
            connection.releaseNews(ringLines: world.plan.terms.ringLines)
        case .confirm: askedWhenSent.append(id)
        case .skip: connection.reply(.skipped(connection.skip()), seq: nil, at: world.timeOfDay)
        case .close(_, let farewell): finish(connection, farewell)
        }
    }

    func finish(_ connection: Connection, _ farewell: Notice.Farewell?) {
        let missed = connection.skip()
        if missed > 0 { connection.reply(.skipped(missed), seq: nil, at: world.timeOfDay) }
        if let farewell { connection.reply(.bye(farewell), seq: nil, at: world.timeOfDay) }
        connection.finish()
        connection.flush()
    }
}

extension House {
    func abandon() {
        guard !hasFailed else { return }
        (hasFailed, isClosing) = (true, false)
        speakDurable()
        let lost = clerk.takeLost() + room.takeEffects()
        for effect in lost.compactMap(\.ifLost) { perform(effect) }
        room.abandon()
        for effect in room.takeEffects() { perform(effect) }
        world.at(world.now + .seconds(1)) { [self] in
            if !isGone { world.restart() }
        }
    }

    /// Signs the journal below all that was kept, and ends when that is on the disk too.
    func closeIfDone() {
        guard clerk.isIdle else { return }
        guard isSignedOff else {
            isSignedOff = true
            clerk.signOff()
            return writeSoon()
        }
        world.restart()
    }
}
