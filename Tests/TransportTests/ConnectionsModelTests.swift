import TestSupport
import Testing
import Transport

/// Random news, replies, changes of feed and reading peers, against what each peer may see.
@Suite struct ConnectionsModelTests {
    @Test(
        "each peer sees whole lines, in order, with exact gaps",
        arguments: PollerKind.allCases, 0..<24)
    func model(poller: PollerKind, seed: Int) throws {
        var model = try Model(poller, seed: UInt64(seed))
        for _ in 0..<80 { try model.step() }
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
    var firstLine = 0
}

private struct Model {
    private let hall: Hall
    private var random: SplitMix64
    private var watchers: [Watcher] = []
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
            switch Int.random(in: 0..<9, using: &random) {
            case 0..<5: announce()
            case 5..<7: answer(Int.random(in: watchers.indices, using: &random))
            case 7: converse(Int.random(in: watchers.indices, using: &random))
            default: follow(Int.random(in: watchers.indices, using: &random))
            }
        }
        try turn()
        for watcher in watchers {
            watcher.peer.receive(atMost: Int.random(in: 0...watcher.speed, using: &random))
        }
    }

    /// Lets all watchers read everything, and ends with a line that all must have seen.
    mutating func settle() throws {
        for index in watchers.indices where watchers[index].feed == nil { follow(index) }
        repeat {
            try turn()
            for watcher in watchers { watcher.peer.receive() }
        } while hall.output.pendingBytes > 0
        announce()
        try turn()
        for watcher in watchers { watcher.peer.receive() }
    }

    /// Appends one to three lines to both feeds, one by one or together.
    private mutating func announce() {
        let count = Int.random(in: 1...3, using: &random)
        let isTogether = Bool.random(using: &random)
        for feed in 0..<2 {
            let records = (lines..<lines + count).map { Array(line($0, feed).utf8) }
            if isTogether {
                let bytes = records.reduce(into: []) { $0 += $1 }
                hall.output.append(bytes[...], lengths: records.map(\.count), feed: feed)
            } else {
                for record in records { hall.output.append(record[...], feed: feed) }
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

    private mutating func follow(_ index: Int) {
        let feed = watchers[index].feed.map { 1 - $0 } ?? Int.random(in: 0..<2, using: &random)
        if watchers[index].feed == nil { watchers[index].firstLine = lines }
        hall.output.follow(watchers[index].handle, feed: feed)
        watchers[index].feed = feed
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
        let texts = watchers.map(\.peer.text)
        let news = texts.flatMap { $0.split(separator: "\n") }.count { $0.hasPrefix("news") }
        #expect(hall.output.figures.deliveries == news)
        #expect(hall.output.figures.bytes == texts.reduce(0) { $0 + $1.utf8.count })
    }

    private func check(_ watcher: Watcher) {
        var next = watcher.firstLine
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
            case ("missed", let count?, let at?):
                #expect(next + count == at)
                next = at
                mustMiss = false
            default:
                #expect(!mustMiss)
                let expected = (0..<2).map { line(next, $0) }
                #expect(expected.contains(text + "\n"))
                next += 1
            }
        }
        #expect(next == lines)
        #expect(replies == watcher.replies)
    }

    private func line(_ number: Int, _ feed: Int) -> String {
        let padding = String(
            repeating: feed == 0 ? "t" : "j", count: 1 + number * 37 % paddingBytes)
        return "news \(number) \(padding)\n"
    }
}
