import TestSupport

extension MemoryDisk {
    /// What a power cut may leave of the bytes that were not synced.
    package enum Loss: CaseIterable {
        /// The first of them.
        case tail
        /// Some of their sectors, and zeros in the place of the others.
        case sectors
    }

    private static let sector = 512

    /// The disk as a process leaves it that is killed now: nothing is lost yet.
    package var afterKill: MemoryDisk {
        let disk = MemoryDisk()
        let (files, next) = state.withLock { ($0.files, $0.nextFile) }
        let (names, syncedNames) = state.withLock { ($0.names, $0.syncedNames) }
        disk.state.withLock { state in
            (state.files, state.nextFile) = (files, next)
            (state.names, state.syncedNames) = (names, syncedNames)
        }
        return disk
    }

    /// The disk after a power cut.
    ///
    /// Each name that was not synced may be as it was or as it is.
    package func powerCut(_ loss: Loss, using generator: inout SplitMix64) -> MemoryDisk {
        let (files, names, syncedNames) = state.withLock { ($0.files, $0.names, $0.syncedNames) }
        var left: [String: [UInt8]] = [:]
        for name in Set(names.keys).union(syncedNames.keys).sorted() {
            let number = Bool.random(using: &generator) ? names[name] : syncedNames[name]
            guard let number, let file = files[number] else { continue }
            left[name] = Self.remains(of: file, loss, using: &generator)
        }
        return MemoryDisk(left)
    }

    private static func remains(
        of file: File, _ loss: Loss, using generator: inout SplitMix64
    ) -> [UInt8] {
        let synced = file.synced
        let isCut = file.uncut == nil || Bool.random(using: &generator)
        let content = isCut ? file.content : file.uncut ?? file.content
        guard content.count > synced.count else {
            return Bool.random(using: &generator) ? content : synced
        }
        switch loss {
        case .tail:
            return Array(
                content.prefix(.random(in: synced.count...content.count, using: &generator)))
        case .sectors:
            var bytes = content
            for start in stride(from: 0, to: bytes.count, by: sector)
            where Bool.random(using: &generator) {
                let lost = max(start, synced.count)..<max(start + sector, synced.count)
                for index in lost.clamped(to: 0..<bytes.count) { bytes[index] = 0 }
            }
            return bytes
        }
    }
}
