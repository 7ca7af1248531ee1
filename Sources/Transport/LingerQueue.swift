/// Connections that are to finish, the earliest deadline first.
struct LingerQueue {
    private var entries: [(handle: Handle, deadline: Int64)] = []
    private var head = 0

    var first: (handle: Handle, deadline: Int64)? {
        head < entries.count ? entries[head] : nil
    }

    mutating func append(_ handle: Handle, deadline: Int64) {
        precondition(deadline >= entries.last?.deadline ?? .min, "time does not go back")
        entries.append((handle, deadline))
    }

    mutating func removeFirst() {
        head += 1
        guard head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }
}
