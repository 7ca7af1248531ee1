import Transport

extension ShardLoop {
    /// With so many bytes read in one turn, the others are read in a later one.
    private static let mostRead = 1 << 20

    /// Whether bytes read now would only wait.
    var isFull: Bool { isAhead || arrivals.bytes.count > Self.mostRead }

    /// Reads from a connection, unless what was read would only wait.
    func hear(_ readiness: Readiness) {
        let handle = readiness.handle
        if readiness.isWritable { shard.connections.writable(handle) }
        guard readiness.isReadable else { return }
        if shard.connections.isSilenced(handle) { return lose(handle) }
        if isFull || !shard.connections.mayReadReady {
            if !shard.connections.hold(handle) { lose(handle) }
        } else {
            read(handle)
        }
    }

    func read(_ handle: Handle) {
        let outcome = readBuffer.withUnsafeMutableBytes { shard.connections.read(handle, into: $0) }
        switch outcome {
        case .bytes(let count): arrivals.append(readBuffer[..<count], from: handle)
        case .wouldBlock: break
        case .end: arrivals.append(.ended(handle))
        case .reset: lose(handle)
        }
    }

    /// Reads no more from whom it was told, or again.
    func obeySilences() {
        for (handle, isSilent) in silences {
            if isSilent {
                shard.connections.silence(handle)
            } else {
                shard.connections.unsilence(handle)
            }
        }
        silences.removeAll(keepingCapacity: true)
    }

    private func lose(_ handle: Handle) {
        guard shard.connections.isOpen(handle) else { return }
        forget(handle)
    }

    private func forget(_ handle: Handle) {
        shard.close(handle)
        arrivals.append(.lost(handle))
    }

    /// Reports who fell out of the feed, and who is gone.
    func noteFallenAndEnded() {
        for handle in shard.connections.takeFallen() { arrivals.append(.fallen(handle)) }
        for ending in shard.connections.takeEnded() {
            if ending.cause == .stalled { arrivals.append(.stalled(ending.handle)) }
            forget(ending.handle)
        }
    }

    /// Reports who has been sent what they asked for, and that everybody has been sent everything.
    func noteSent() {
        for handle in shard.connections.takePauseChanges() {
            let isPaused = shard.connections.isPaused(handle)
            arrivals.append(isPaused ? .paused(handle) : .unpaused(handle))
        }
        for sent in shard.takeConfirmed() { arrivals.append(.sent(sent.handle, sent.number)) }
        if isDrainAsked && shard.connections.pendingBytes == 0 {
            isDrainAsked = false
            arrivals.append(.drained)
        }
    }
}
