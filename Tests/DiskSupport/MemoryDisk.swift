import Journal
import Posix
import TestSupport

/// A disk in memory that fails on request, and loses in a power cut what was not synced.
package final class MemoryDisk: Disk {
    package enum Call: CaseIterable {
        case names, read, status, create, open, write, truncate, sync, rename, remove, syncFolder
    }

    package enum Fault: Equatable {
        case error(Int32)
        case shortWrite
    }

    struct File {
        var content: [UInt8]
        var synced: [UInt8]
        /// The content before bytes that were not synced were cut off, until the next sync.
        var uncut: [UInt8]?
        /// When it was last written to, in milliseconds since 1970.
        var written: Int64 = 0

        mutating func truncate(to size: Int) {
            if uncut == nil, content.count > synced.count { uncut = content }
            content.removeLast(content.count - size)
        }

        mutating func sync() {
            (synced, uncut) = (content, nil)
        }
    }

    struct State {
        var files: [Int32: File] = [:]
        var names: [String: Int32] = [:]
        var syncedNames: [String: Int32] = [:]
        var nextFile: Int32 = 1
        var calls: [Call: Int] = [:]
        var fault: (call: Call, number: Int, fault: Fault)?
        var hasFailed = false
        var isSyncHeld = false
        var syncsBegun = 0
        var time: Int64 = 0
        var freeBytes = 1 << 40
        var hook: (call: Int, body: @Sendable () -> Void)?
    }

    let state: Locked<State>

    /// Creates a folder whose files are all synced.
    package init(_ files: [String: [UInt8]] = [:]) {
        var initial = State()
        for (name, bytes) in files {
            initial.files[initial.nextFile] = File(content: bytes, synced: bytes)
            initial.names[name] = initial.nextFile
            initial.nextFile += 1
        }
        initial.syncedNames = initial.names
        state = Locked(initial)
    }

    /// The time of day, in milliseconds since 1970, which stands still.
    package var time: Int64 {
        get { state.withLock { $0.time } }
        set { state.withLock { $0.time = newValue } }
    }

    /// The bytes that can still be written, which are not counted.
    package var free: Int {
        get { state.withLock { $0.freeBytes } }
        set { state.withLock { $0.freeBytes = newValue } }
    }

    package func freeBytes() throws(SystemError) -> Int { free }

    /// Lets the n-th call of a kind from now on fail.
    package func fail(_ call: Call, number: Int, with fault: Fault) {
        state.withLock { $0.fault = (call, (($0.calls[call] ?? 0) + number), fault) }
    }

    /// Calls `body` before the n-th call of any kind from now on.
    package func before(call number: Int, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.hook = ($0.calls.values.reduce(0, +) + number, body) }
    }

    /// Holds every sync back, or lets them go on.
    package func holdSyncs(_ isHeld: Bool) {
        state.withLock { $0.isSyncHeld = isHeld }
        state.signal()
    }

    /// Holds every sync back, does something that leads to one, and waits until that has begun.
    package func holdSync(_ body: () throws -> Void) rethrows {
        let begun = state.withLock { $0.syncsBegun }
        holdSyncs(true)
        try body()
        waitForSyncs(begun + 1)
    }

    /// Waits until that many syncs have begun.
    package func waitForSyncs(_ count: Int) {
        state.withLock(when: { $0.syncsBegun >= count }) { _ in }
    }

    package var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The files as a program reads them now.
    package var contents: [String: [UInt8]] {
        state.withLock { state in state.names.compactMapValues { state.files[$0]?.content } }
    }

    /// The files as every power cut leaves them at least.
    package var syncedContents: [String: [UInt8]] {
        state.withLock { state in state.syncedNames.compactMapValues { state.files[$0]?.synced } }
    }

    private func enter(_ call: Call) throws(SystemError) -> Bool {
        let hook = state.withLock { state in
            let number = state.calls.values.reduce(1, +)
            return state.hook?.call == number ? state.hook?.body : nil
        }
        hook?()
        let fault: Fault? = state.withLock { state in
            state.calls[call, default: 0] += 1
            guard let fault = state.fault, fault.call == call, fault.number == state.calls[call]
            else { return nil }
            state.hasFailed = true
            return fault.fault
        }
        if case .error(let code) = fault { throw SystemError(code: code, call: "\(call)") }
        return fault == .shortWrite
    }

    private func isMissing(_ call: String) -> SystemError { SystemError(code: 2, call: call) }

    package func names() throws(SystemError) -> [String] {
        _ = try enter(.names)
        return state.withLock { Array($0.names.keys) } + ["lock", "1.journal", "notes.txt"]
    }

    package func read(_ name: String) throws(SystemError) -> [UInt8] {
        _ = try enter(.read)
        guard let bytes = contents[name] else { throw isMissing("read") }
        return bytes
    }

    package func status(_ name: String) throws(SystemError) -> (bytes: Int, written: Int64) {
        _ = try enter(.status)
        let file = state.withLock { state in state.names[name].flatMap { state.files[$0] } }
        guard let file else { throw isMissing("status") }
        return (file.content.count, file.written)
    }

    package func create(_ name: String) throws(SystemError) -> Int32 {
        _ = try enter(.create)
        let file: Int32? = state.withLock { state in
            guard state.names[name] == nil else { return nil }
            let file = state.nextFile
            state.nextFile += 1
            state.files[file] = File(content: [], synced: [])
            state.names[name] = file
            return file
        }
        guard let file else { throw SystemError(code: 17, call: "create") }
        return file
    }

    package func open(_ name: String) throws(SystemError) -> Int32 {
        _ = try enter(.open)
        guard let file = state.withLock({ $0.names[name] }) else { throw isMissing("open") }
        return file
    }

    package func writeSynced(
        _ bytes: UnsafeRawBufferPointer, to file: Int32
    ) throws(SystemError) -> Int {
        let isShort = try enter(.write)
        let count = isShort ? bytes.count / 2 : bytes.count
        state.withLock { state in
            state.files[file]?.content.append(contentsOf: bytes.prefix(count))
            state.files[file]?.written = state.time
        }
        if !isShort { try sync(file) }
        return count
    }

    package func truncate(_ file: Int32, to size: Int) throws(SystemError) {
        _ = try enter(.truncate)
        state.withLock { state in
            state.files[file]?.truncate(to: size)
        }
    }

    package func sync(_ file: Int32) throws(SystemError) {
        _ = try enter(.sync)
        state.withLock { $0.syncsBegun += 1 }
        state.signal()
        state.withLock(when: { !$0.isSyncHeld }) { state in
            state.files[file]?.sync()
        }
    }

    package func close(_ file: Int32) {}

    package func rename(_ name: String, to newName: String) throws(SystemError) {
        _ = try enter(.rename)
        guard let file = state.withLock({ $0.names.removeValue(forKey: name) }) else {
            throw isMissing("rename")
        }
        state.withLock { $0.names[newName] = file }
    }

    package func remove(_ name: String) throws(SystemError) {
        _ = try enter(.remove)
        state.withLock { $0.names[name] = nil }
    }

    package func syncFolder() throws(SystemError) {
        _ = try enter(.syncFolder)
        state.withLock { $0.syncedNames = $0.names }
    }
}
