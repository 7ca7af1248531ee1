import TestSupport
import Testing
import Transport

/// Compares random news, replies, visitors, changes of feed and reads with what a peer may see.
@Suite struct ConnectionsModelTests {
    @Test(
        "each peer sees whole lines, in order, with exact gaps",
        arguments: PollerKind.allCases, 0..<8)
    func model(poller: PollerKind, seed: Int) throws {
        var model = try Model(poller, seed: UInt64(seed))
        for _ in 0..<50 { try model.step() }
        try model.settle()
        model.check()
    }
}

private struct Watcher {
    let handle: Handle
    let peer: Peer
    /// Bytes it reads at most at a step; 0 for one that does not read before the end.
    let speed: Int
    var feed: Int?
    var replies = 0
}

private struct Model {
    /// All feeds have the same lines, padded differently; most are followed by nobody for a while.
    private static let feeds = 4

    private let hall: Hall
    private var random: SplitMix64
    private var watchers: [Watcher] = []
    /// Connections that follow a feed, get no replies, and close without a word.
    private var visitors: [Handle] = []
    private var visitorPeers: [Peer] = []
    private var lines = 0
    /// How much happens at a step, at most.
    private let burst: Int
    /// The bound of the padding of a line.
    private let paddingBytes: Int

    init(_ poller: PollerKind, seed: UInt64) throws {
        hall = try Hall(poller, ringBytes: 1024 << (seed % 6))
        burst = 4 << (seed % 5)
        paddingBytes = [40, 300, 800][Int(seed % 3)]
        random = SplitMix64(seed: seed)
        for speed in [0, 500, 2000, 8000, 20_000, 200_000] {
            let (handle, peer) = try hall.admit(sendBufferBytes: 4096)
            watchers.append(Watcher(handle: handle, peer: peer, speed: speed))
        }
    }

    mutating func step() throws {
        for _ in 0..<Int.random(in: 0...burst, using: &random) {
            switch Int.random(in: 0..<40, using: &random) {
            case 0..<22: announce()
            case 22..<30: answer(Int.random(in: watchers.indices, using: &random))
            case 30..<34: converse(Int.random(in: watchers.indices, using: &random))
            case 34..<38: follow(Int.random(in: watchers.indices, using: &random))
            case 38: leave(Int.random(in: watchers.indices, using: &random))
            default: try receiveVisitor()
            }
        }
        try turn()
        for watcher in watchers {
            watcher.peer.receive(atMost: Int.random(in: 0...watcher.speed, using: &random))
        }
    }

    /// Lets all watchers read everything, and ends with a line that all must have seen.
    mutating func settle() throws {
        for visitor in visitors { hall.connections.close(visitor) }
        for peer in visitorPeers { peer.receive() }
        for index in watchers.indices where watchers[index].feed == nil { follow(index) }
        repeat {
            try turn()
            for watcher in watchers { watcher.peer.receive() }
        } while hall.output.pendingBytes > 0
        announce()
        try turn()
        for watcher in watchers { watcher.peer.receive() }
    }

    /// Appends one to three lines to all feeds.
    private mutating func announce() {
        let count = Int.random(in: 1...3, using: &random)
        for feed in 0..<Self.feeds {
            for number in lines..<lines + count {
                hall.output.append(line(number, feed)[...], feed: key(feed))
            }
        }
        lines += count
    }

    private mutating func answer(_ index: Int) {
        let watcher = watchers[index]
        let at = watcher.feed == nil ? -1 : lines
        hall.reply(watcher.handle, "reply \(watcher.replies) \(at)\n")
        watchers[index].replies += 1
    }

    /// Answers by turns with news, as a fast bidder gets them.
    private mutating func converse(_ index: Int) {
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            answer(index)
            announce()
        }
    }

    /// Makes a watcher follow another feed, and tells it with which line a gap ends.
    private mutating func follow(_ index: Int) {
        let feed = Int.random(in: 0..<Self.feeds, using: &random)
        let handle = watchers[index].handle
        if watchers[index].feed == nil { hall.reply(handle, "from \(lines)\n") }
        hall.output.follow(handle, feed: key(feed))
        watchers[index].feed = feed
    }

    private mutating func leave(_ index: Int) {
        guard watchers[index].feed != nil else { return }
        let missed = hall.output.unfollow(watchers[index].handle)
        if missed > 0 { hall.reply(watchers[index].handle, "missed \(missed) \(lines)\n") }
        watchers[index].feed = nil
    }

    /// A visitor comes, and one that is there may go.
    private mutating func receiveVisitor() throws {
        if visitors.count > 2 {
            hall.connections.close(visitors.removeFirst())
            visitorPeers[visitorPeers.count - 3].receive()
            visitorPeers[visitorPeers.count - 3].close()
        }
        let feed = Int.random(in: 0..<Self.feeds, using: &random)
        let (handle, peer) = try hall.admitFollower(of: key(feed))
        visitors.append(handle)
        visitorPeers.append(peer)
    }

    private func key(_ feed: Int) -> FeedKey {
        FeedKey(topic: UInt32(feed / 2), format: feed % 2)
    }

    private func turn() throws {
        try hall.turn()
        for handle in hall.output.takeFallen() {
            let missed = hall.output.skip(handle)
            hall.reply(handle, "missed \(missed) \(lines)\n")
        }
        hall.connections.flush()
    }

    func check() {
        for watcher in watchers { check(watcher) }
        let texts = watchers.map(\.peer.text) + visitorPeers.map(\.text)
        let news = texts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("n") }
        #expect(hall.output.figures.deliveries == news.count)
        #expect(hall.output.figures.bytes == news.reduce(0) { $0 + $1.utf8.count + 1 })
    }

    private func check(_ watcher: Watcher) {
        var next = 0
        var replies = 0
        var mustMiss = false
        #expect(watcher.peer.text.hasSuffix("\n"))
        for text in watcher.peer.text.split(separator: "\n") {
            let words = text.split(separator: " ")
            switch (words[0], Int(words[1]), words.count > 2 ? Int(words[2]) : nil) {
            case ("reply", let number, let at?):
                #expect(number == replies)
                #expect(at == -1 || at >= next)
                if at > next { mustMiss = true }
                replies += 1
            case ("from", let at?, nil):
                #expect(!mustMiss && at >= next)
                next = at
            case ("missed", let count?, let at?):
                #expect(next + count == at)
                next = at
                mustMiss = false
            default:
                #expect(!mustMiss)
                let feed = text.utf8.last.map { Int($0) - Int(UInt8(ascii: "a")) } ?? -1
                #expect((0..<Self.feeds).contains(feed))
                #expect(text.utf8.elementsEqual(line(next, feed).dropLast()))
                next += 1
            }
        }
        #expect(next == lines)
        #expect(replies == watcher.replies)
    }

    /// A line whose padding says which feed it is of.
    private func line(_ number: Int, _ feed: Int) -> [UInt8] {
        let padding = UInt8(ascii: "a") + UInt8(feed)
        let bytes = [UInt8](repeating: padding, count: 1 + number * 37 % paddingBytes)
        return Array("news \(number) ".utf8) + bytes + [UInt8(ascii: "\n")]
    }
}
