import AuctionRules
import Saleroom
import Server
import Transport
import Wire

// The other loops, and how far time may pass: as `AuctionServer` does it with its shards.
extension House {
    func startLoops(seed: UInt64) {
        for number in 1..<world.plan.terms.loops {
            let loop = Loop(number, self, world, seed: seed &+ UInt64(number))
            loops.append(loop)
            remotes.append(RemoteShard(number, loop.mailbox, wake: { loop.wake() }))
        }
    }

    /// Has a turn soon on the loop of a connection.
    func wake(for connection: Connection) {
        if loops.indices.contains(connection.loop - 1) {
            loops[connection.loop - 1].wake()
        } else {
            wake()
        }
    }

    /// Gives a newcomer to another loop.
    func giveAway(_ connection: Connection, to number: Int) {
        connection.move(to: number)
        descriptors += 1
        loops[number - 1].expect(connection, as: descriptors)
        remotes[number - 1].adopt(descriptors, from: connection.visitor.address)
    }

    /// Hears what has come to the other loops, as far as there is room for it.
    func hearOthers() {
        areOthersUnheard = false
        for (remote, loop) in zip(remotes, loops) {
            if remote.hasUnheard { areOthersUnheard = true }
            do {
                try remote.takeEvents()
            } catch {
                preconditionFailure("a simulated loop does not fail")
            }
            while !isFull, let (event, bytes) = remote.nextEvent() {
                hear(event, bytes, of: loop)
            }
            if isFull { areOthersUnheard = true }
        }
    }

    private func hear(_ event: ShardEvents.Event, _ bytes: ArraySlice<UInt8>, of loop: Loop) {
        hasWorked = true
        switch event {
        case .joined(let handle, let address):
            let id = SessionID(handle, shard: loop.number)
            guard let connection = loop.connection(handle) else { return }
            guests[id] = connection
            world.witness.seat(connection)
            room.join(id, from: address, at: world.instant)
        case .heard(let handle, let count):
            let id = SessionID(handle, shard: loop.number)
            loop.connection(handle)?.unheard.take(count)
            if !inputBuffer.append(bytes, of: id) { hear(bytes, from: id) }
        case .ended(let handle):
            let id = SessionID(handle, shard: loop.number)
            if !inputBuffer.end(id) { endOther(id) }
        case .lost(let handle): lose(SessionID(handle, shard: loop.number))
        case .fallen(let handle):
            room.resync(SessionID(handle, shard: loop.number), at: world.instant)
        case .sent(let handle, let number):
            inputBuffer.sent(SessionID(handle, shard: loop.number), number: number)
        case .refused, .stalled, .paused, .unpaused, .finishing, .drained: break
        }
    }

    /// Lets time pass in the room as far as all loops have been heard.
    func passTime() {
        guard let own = rounds.readUntil else { return }
        isTimeHeld = false
        let due = room.deadline
        let step = TimeStep(
            due: due, heardUntil: Instant(nanoseconds: own),
            othersHeardUntil: remotes.map(\.heardUntil).min().map(Instant.init(nanoseconds:)))
        switch step {
        case .none: break
        case .expire(let heardUntil):
            world.witness.heardUntil = .nanoseconds(heardUntil.nanoseconds)
            room.expire(at: world.instant, heardUntil: heardUntil, isHeard: isHeard)
            if room.deadline != due { world.noteEvent() }
        case .wait(let due):
            isTimeHeld = true
            for remote in remotes { remote.inquire(until: due.nanoseconds) }
        }
    }

    func handOver() {
        for remote in remotes { remote.handOver() }
    }

    /// Tells the other loops a line of news in each format that is heard there.
    func tellOthers(_ seq: Int, text: [UInt8], json: [UInt8]) {
        for (remote, loop) in zip(remotes, loops) {
            for (format, line) in [(Format.text, text), (.json, json)] where remote.hears(format) {
                loop.expect(seq, as: format)
                remote.append(line[...], as: format)
            }
        }
    }
}
