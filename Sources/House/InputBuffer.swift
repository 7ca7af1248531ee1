import Auction
import Basics

/// The input that was read and not yet given to the lobby, by connection.
///
/// Input is ready when its time has come and the connection has been sent its earlier output. Each
/// operation is O(log n) in the number of connections with stored input.
package struct InputBuffer {
    /// The stored input of one connection.
    package struct Input: Equatable {
        /// The bytes, in order.
        package var bytes: [UInt8]
        /// Whether the connection will send no more than these bytes.
        package var hasEnded = false
        /// When it may be given to the lobby; nil if that time has come.
        fileprivate var due: Instant?
        /// The number of the confirmation that it waits for.
        fileprivate let number: Int
        /// Whether that confirmation has not come.
        fileprivate var isAwaited = true
    }

    private var inputs: [SessionID: Input] = [:]
    private var timers = TimerQueue<SessionID, Instant>()
    private var ready = Queue<SessionID>()
    /// The number of the newest confirmation that was asked for.
    private var lastNumber = 0

    /// Creates an empty buffer.
    package init() {}

    /// The earliest time for which input waits; nil if none waits for a time.
    package var deadline: Instant? { timers.deadline }

    /// Whether some input may be ready.
    package var mayHaveReady: Bool { !ready.isEmpty }

    /// The number of connections with stored input.
    package var count: Int { inputs.count }

    /// Whether input of a connection is stored.
    package func holds(_ id: SessionID) -> Bool { inputs[id] != nil }

    /// Stores a connection's input until `due` and until `sent` is called with the returned number.
    ///
    /// `due` is nil if only `sent` counts. Each call returns another number.
    package mutating func keep(
        _ bytes: [UInt8], of id: SessionID, until due: Instant?, hasEnded: Bool = false
    ) -> Int {
        precondition(inputs[id] == nil, "stored input is taken before more is stored")
        lastNumber += 1
        inputs[id] = Input(bytes: bytes, hasEnded: hasEnded, due: due, number: lastNumber)
        if let due { timers.insert(id, due: due) }
        return lastNumber
    }

    /// Adds bytes to the stored input of a connection; false if there is none.
    package mutating func append(_ bytes: ArraySlice<UInt8>, of id: SessionID) -> Bool {
        guard let index = inputs.index(forKey: id) else { return false }
        inputs.values[index].bytes += bytes
        return true
    }

    /// Records that a connection will send no more than its stored input; false if there is none.
    package mutating func end(_ id: SessionID) -> Bool {
        guard let index = inputs.index(forKey: id) else { return false }
        inputs.values[index].hasEnded = true
        return true
    }

    /// Records that a connection has been sent its output up to the request with this number.
    ///
    /// The confirmation of an earlier request does nothing: output of the later one may wait.
    package mutating func sent(_ id: SessionID, number: Int) {
        guard let index = inputs.index(forKey: id), inputs.values[index].isAwaited,
            inputs.values[index].number == number
        else { return }
        inputs.values[index].isAwaited = false
        if inputs.values[index].due == nil { ready.append(id) }
    }

    /// Records that the input of a connection need not wait for its time.
    mutating func release(_ id: SessionID) {
        guard let index = inputs.index(forKey: id), inputs.values[index].due != nil else { return }
        inputs.values[index].due = nil
        if !inputs.values[index].isAwaited { ready.append(id) }
    }

    /// Records the inputs whose time has come.
    package mutating func expire(at now: Instant) {
        while let id = timers.popDue(at: now) {
            guard let index = inputs.index(forKey: id), let due = inputs.values[index].due,
                due <= now
            else { continue }
            inputs.values[index].due = nil
            if !inputs.values[index].isAwaited { ready.append(id) }
        }
    }

    /// Removes and returns the input that has been ready for longest; nil if none is.
    package mutating func popReady() -> (id: SessionID, input: Input)? {
        while let id = ready.popFirst() {
            guard let index = inputs.index(forKey: id), inputs.values[index].due == nil,
                !inputs.values[index].isAwaited
            else { continue }
            return (id, inputs.remove(at: index).value)
        }
        return nil
    }

    /// Drops the stored input of a connection.
    package mutating func remove(_ id: SessionID) {
        inputs[id] = nil
    }
}
