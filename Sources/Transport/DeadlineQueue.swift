/// What is due some time, the earliest deadline first, which is the order of adding.
struct DeadlineQueue<Element> {
    private var entries: [(element: Element, deadline: Int64)] = []
    private var head = 0

    var first: (element: Element, deadline: Int64)? {
        head < entries.count ? entries[head] : nil
    }

    mutating func append(_ element: Element, deadline: Int64) {
        precondition(deadline >= entries.last?.deadline ?? .min, "time does not go back")
        entries.append((element, deadline))
    }

    mutating func removeFirst() {
        head += 1
        guard head * 2 >= entries.count else { return }
        entries.removeFirst(head)
        head = 0
    }
}
