import DiskSupport
import Storage
import TestSupport

extension World {
    func diskDelay(_ dice: inout SplitMix64) -> Duration {
        guard !plan.terms.isCalm else { return .microseconds(100) }
        guard now < slowness.until else { return .random(in: 50_000...4_000_000, using: &dice) }
        return .random(in: 0...slowness.each.nanoseconds, using: &dice)
    }

    func suffer(_ mishap: Mishap) {
        trace("-- \(mishap)")
        switch mishap {
        case .standstill(let duration): house?.standStill(for: duration)
        case .loopStandstill(let number, let duration):
            guard let house, !house.loops.isEmpty else { return }
            house.loops[number % house.loops.count].standStill(for: duration)
        case .slowDisk(let each, let until): slowness = (each, until)
        case .diskFailure(let fault): disk.suffer(fault)
        case .clockSet(let change): clockOffset += change
        case .shutDown: house?.shutDown()
        case .crash(let crash):
            guard house != nil else { return }
            guard let call = crash.duringCall else { return end(crash, leaving: crash.disk(disk)) }
            doom = (crash, watch(disk, call, crash))
        }
    }

    /// Looks at the disk right before a call, as nothing after it will have happened.
    func watch(_ disk: MemoryDisk, _ call: Int, _ crash: Crash) -> DiskSnapshot {
        let snapshot = DiskSnapshot()
        disk.before(call: call) { snapshot.disk = crash.disk(disk) }
        return snapshot
    }

    /// Whether everything ended in the middle of what the disk has just done.
    func crashedInCall() -> Bool {
        guard let (crash, snapshot) = doom, let left = snapshot.disk else { return false }
        end(crash, leaving: left)
        return true
    }

    func end(_ crash: Crash, leaving left: MemoryDisk) {
        trace("-- the server is gone")
        let connections = house?.everybody ?? []
        house?.crash()
        (house, doom) = (nil, nil)
        var dice = SplitMix64(seed: crash.seed)
        for connection in connections {
            let silence: Int64 = crash.losesPower ? 9_000_000_000 : 80_000_000
            at(now + .random(in: 0...silence, using: &dice)) {
                connection.visitor.lose(connection, "its server is gone")
            }
        }
        at(now + crash.downtime) { [self] in start(left, again: crash) }
    }

    /// Ends the server in good order, and starts another.
    func restart() {
        let connections = house?.everybody ?? []
        for connection in connections { connection.shut() }
        house?.leave()
        (house, doom) = (nil, nil)
        at(now + .milliseconds(200)) { [self] in start(disk.afterKill, again: nil) }
    }

    func start(_ found: MemoryDisk, again crash: Crash?) {
        disk = found
        starts += 1
        let second = crash.flatMap { crash in
            crash.againDuringCall.map { (crash, watch(found, $0, crash)) }
        }
        do throws(JournalError) {
            let opened = try House(self, found, seed: plan.seed &+ starts &* 7919)
            if let (crash, snapshot) = second, let left = snapshot.disk {
                trace("-- it ends again while it starts")
                return at(now + crash.downtime) { [self] in start(left, again: nil) }
            }
            witness.recover(found.contents, at: now)
            newestTold = witness.log.last
            house = opened
            trace("-- a server starts after event \(newestTold)")
            opened.wake()
        } catch {
            witness.report(.recovers, "\(error)")
        }
    }
}

extension Crash {
    /// What is left of a disk.
    fileprivate func disk(_ disk: MemoryDisk) -> MemoryDisk {
        guard losesPower else { return disk.afterKill }
        var dice = SplitMix64(seed: seed)
        let loss = MemoryDisk.Loss.allCases.randomElement(using: &dice) ?? .tail
        return disk.powerCut(loss, using: &dice)
    }
}

extension MemoryDisk {
    fileprivate func suffer(_ fault: DiskFault) {
        switch fault {
        case .writeError: fail(.write, number: 1, with: .error(5))
        case .diskFull: fail(.write, number: 1, with: .error(28))
        case .shortWrite: fail(.write, number: 1, with: .shortWrite)
        case .syncError: fail(.sync, number: 1, with: .error(5))
        case .createError: fail(.create, number: 1, with: .error(28))
        case .renameError: fail(.rename, number: 1, with: .error(5))
        }
    }
}
