import Auction
import Basics
import ClusterSupport
import Wire

/// What the messages of the stream say of rooms and names, in their order.
struct StreamModel {
    struct News {
        let text: String
        private let words: [Substring]

        fileprivate init(_ text: String) {
            self.text = text
            words = text.split { $0 == " " || $0 == "=" }
        }

        /// Whether a JSON object tells the same.
        func isTold(by message: JSONObject) -> Bool {
            guard message.string("type")?.uppercased() == words.first.map(String.init) else {
                return false
            }
            for name in ["content", "bidder", "title"] {
                guard let text = message.string(name) else { continue }
                for word in text.split(separator: " ") where !words.contains(word) { return false }
            }
            guard let amount = message.number("amount") else { return true }
            return words.contains("\(amount)"[...])
        }
    }

    /// What holds in a room, from its opening to its end.
    struct Room {
        let name: String
        let format: AuctionFormat
        fileprivate(set) var news: [News] = []
        /// The numbers of the news of each bid, which is `AMOUNT BIDDER`; of a sealed one, of the
        /// news before it.
        fileprivate(set) var bids: [String: [Int]] = [:]
        fileprivate(set) var bidTimes: [Instant] = []
        /// The number of the newest lot, and the least amount of its next bid; nil while it is
        /// closed.
        fileprivate var lot = ""
        fileprivate(set) var price: Int?
        fileprivate var leader: (bidder: String, amount: Int)?
        /// The newest sealed bid of each bidder.
        fileprivate var sealed: [String: Int] = [:]
        /// What each lot is worth to each bidder; the keys are `LOT BIDDER`.
        fileprivate(set) var worths: [String: Int] = [:]
        /// The owners of names, and whether they have bid.
        fileprivate var owners: [String: (hash: String, hasBid: Bool)] = [:]
        /// All that have ever owned a name.
        fileprivate(set) var formerOwners: [String: Set<String>] = [:]

        fileprivate init(_ name: String, _ format: AuctionFormat = .english) {
            (self.name, self.format) = (name, format)
        }

        /// Whether the newest lot has a bid and is not sold.
        var isUnsold: Bool { leader != nil || !sealed.isEmpty }

        /// The winner of the newest lot and the price, if it ended now.
        fileprivate var winner: (bidder: String, amount: Int)? {
            guard format.isSealed else { return leader }
            let bids = sealed.sorted { $0.value > $1.value }
            guard let best = bids.first else { return nil }
            return (best.key, format == .vickrey ? bids.dropFirst().first?.value ?? 1 : best.value)
        }
    }

    /// The messages of all rooms of one name.
    private struct Log {
        /// The last message, and the run of a node that owns the room.
        var last = 0
        var owner: String?
        /// The run that owned the room of this name before.
        var formerOwner: String?
    }

    /// All rooms that have existed, by the identities of their sales; that of `main` is `main`.
    private(set) var rooms = ["main": Room("main")]
    /// The keys in `rooms` of the rooms that exist, by their names.
    private(set) var open = ["main": "main"]
    /// How often something was seen.
    private(set) var counts: [String: Int] = [:]
    private var logs: [String: Log] = [:]
    private var identifiers: Set<String> = []

    /// What is counted.
    static let occurrences = ["takeover", "room ends", "room opens elsewhere", "state"]

    /// Adds a message; returns the promise that it breaks, if it does.
    mutating func add(_ stored: FakeNATS.Stored) -> Violation? {
        let message = stored.message
        let id = message[header: "Nats-Msg-Id"] ?? ""
        guard identifiers.insert(id).inserted else {
            return Violation(promise: .fenced, facts: "the message \(id) is stored twice")
        }
        guard message.subject.hasPrefix("auction.log.") else { return nil }
        let name = String(message.subject.dropFirst("auction.log.".count))
        let (kind, run) = (message[header: "Auction-Kind"], message[header: "Auction-Instance"])
        let expected = message[header: "Nats-Expected-Last-Subject-Sequence"].flatMap { Int($0) }
        var log = logs[name] ?? Log()
        defer { logs[name] = log }
        guard expected == log.last else {
            return Violation(
                promise: .fenced,
                facts: "\(stored.sequence) follows \(log.last) of \(name), and its sender knew "
                    + "\(expected ?? 0)")
        }
        log.last = stored.sequence
        if kind == "owner" {
            if log.owner != nil, log.owner != run, open[name] != nil { count("takeover") }
            (log.formerOwner, log.owner) = (log.owner, run)
        }
        guard run == log.owner else {
            return Violation(
                promise: .fenced, facts: "\(stored.sequence) is not by the owner of \(name)")
        }
        if kind == "state-end" { count("state") }
        let isState = kind == "state" || kind == "state-end"
        let body = String(decoding: message.payload, as: UTF8.self)
        if kind == "state-end", body.isEmpty, open[name] != nil {
            return Violation(
                promise: .agreed, facts: "the state of \(name), which is open, is empty")
        }
        for line in body.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3 else { continue }
            let text = String(parts[2])
            if let broken =
                isState
                ? check(state: text, of: name)
                : add(text, isNews: parts[0] == "+", at: stored.time, in: name, log)
            {
                return broken
            }
        }
        return nil
    }

    private mutating func count(_ name: String) { counts[name, default: 0] += 1 }

    /// Checks that a state counts the news that were before it.
    private func check(state text: String, of name: String) -> Violation? {
        let words = text.split(separator: " ")
        guard words[0] == "STATE", let count = open[name].flatMap({ rooms[$0]?.news.count }),
            words[2] != "\(count)"
        else { return nil }
        return Violation(promise: .agreed, facts: "\(text), and \(name) has \(count) news")
    }

    private mutating func add(
        _ text: String, isNews: Bool, at time: Instant, in name: String, _ log: Log
    ) -> Violation? {
        let words = text.split(separator: " ").map(String.init)
        if words[0] == "OPEN" {
            guard open[name] == nil, let hash = TokenHash(words[2]) else {
                return Violation(promise: .oneRoom, facts: text)
            }
            let place = Identity(ofSaleWithKey: hash).description
            if let former = log.formerOwner, former != log.owner { count("room opens elsewhere") }
            let format = words.first { $0.hasPrefix("format=") }?.dropFirst("format=".count)
            open[name] = place
            rooms[place] = Room(
                name, format.flatMap { AuctionFormat(rawValue: "\($0)") } ?? .english)
            return nil
        }
        guard let place = open[name], var room = rooms.removeValue(forKey: place) else {
            return Violation(promise: .oneRoom, facts: "\(text) in \(name), which is not open")
        }
        defer { rooms[place] = room }
        if words[0] == "SHUT" {
            open[name] = nil
            count("room ends")
        }
        if isNews { room.news.append(News(text)) }
        return add(words, at: time, to: &room)
    }

    private func add(_ words: [String], at time: Instant, to room: inout Room) -> Violation? {
        let facts = "\(words.joined(separator: " ")) in \(room.name)"
        switch words[0] {
        case "LOT": (room.lot, room.price, room.leader, room.sealed) = (words[1], 1, nil, [:])
        case "PRICE":
            let amount = Int(words[1]) ?? 0
            room.bids["\(amount) \(words[2])", default: []].append(room.news.count)
            room.bidTimes.append(time)
            guard let least = room.price, amount >= least else {
                return Violation(promise: .rises, facts: facts)
            }
            (room.price, room.leader) = (amount + 1, (words[2], amount))
            room.owners[words[2].lowercased()]?.hasBid = true
        case "BID":
            let amount = Int(words[2]) ?? 0
            room.bids["\(amount) \(words[1])", default: []].append(room.news.count)
            room.bidTimes.append(time)
            room.sealed[words[1]] = amount
        case "REVEALED": room.owners[words[2].lowercased()]?.hasBid = true
        case "WORTH":
            let (key, amount) = ("\(room.lot) \(words[1])", Int(words[words.count - 1]) ?? 0)
            if let known = room.worths[key], known != amount {
                return Violation(promise: .sameValue, facts: "\(facts), and it was \(known)")
            }
            room.worths[key] = amount
        case "WINNER":
            guard let winner = room.winner, winner == (words[1], Int(words[2]) ?? 0) else {
                return Violation(promise: .oneWinner, facts: facts)
            }
            (room.price, room.leader, room.sealed) = (nil, nil, [:])
        case "PASSED":
            guard !room.isUnsold || words[2] == "closed" else {
                return Violation(promise: .oneWinner, facts: facts)
            }
            (room.price, room.leader, room.sealed) = (nil, nil, [:])
        case "NAME":
            let bidder = words[1].lowercased()
            for other in open.values where rooms[other]?.name != room.name {
                guard let owner = rooms[other]?.owners[bidder], owner.hash != words[2] else {
                    continue
                }
                return Violation(promise: .names, facts: "\(facts), and \(other) has \(owner.hash)")
            }
            room.formerOwners[bidder, default: []].insert(words[2])
            room.owners[bidder] = (words[2], room.owners[bidder]?.hasBid ?? false)
        case "FREE": room.owners[words[1].lowercased()] = nil
        case "LEFT":
            let bidder = words[1].lowercased()
            if room.owners[bidder]?.hasBid == false { room.owners[bidder] = nil }
        default: break
        }
        return nil
    }
}
