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
            words = text.split(separator: " ")
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

    struct Room {
        /// The last message, and the run of a node that owns the room.
        fileprivate var last = 0
        fileprivate var owner: String?
        fileprivate(set) var news: [News] = []
        /// The numbers of the news of each bid, which is `AMOUNT BIDDER`.
        fileprivate(set) var bids: [String: [Int]] = [:]
        fileprivate(set) var bidTimes: [Instant] = []
        /// The least amount of the next bid; nil while no lot is open.
        fileprivate(set) var price: Int?
        fileprivate(set) var leader: (bidder: String, amount: Int)?
        /// The owners of names, and whether they have bid.
        fileprivate var owners: [String: (hash: String, hasBid: Bool)] = [:]
        /// All that have ever owned a name.
        fileprivate(set) var formerOwners: [String: Set<String>] = [:]
    }

    private(set) var rooms: [String: Room] = [:]
    private var identifiers: Set<String> = []

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
        var room = rooms[name] ?? Room()
        defer { rooms[name] = room }
        guard expected == room.last else {
            return Violation(
                promise: .fenced,
                facts: "\(stored.sequence) follows \(room.last) of \(name), and its sender knew "
                    + "\(expected ?? 0)")
        }
        room.last = stored.sequence
        if kind == "owner" { room.owner = run }
        guard run == room.owner else {
            return Violation(
                promise: .fenced, facts: "\(stored.sequence) is not by the owner of \(name)")
        }
        guard kind == "events" || kind == "owner" else { return nil }
        let body = String(decoding: message.payload, as: UTF8.self)
        for line in body.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3 else { continue }
            if parts[0] == "+" { room.news.append(News(String(parts[2]))) }
            if let broken = add(String(parts[2]), at: stored.time, to: &room, name) {
                return broken
            }
        }
        return nil
    }

    private func add(
        _ text: String, at time: Instant, to room: inout Room, _ name: String
    ) -> Violation? {
        let words = text.split(separator: " ").map(String.init)
        switch words[0] {
        case "LOT": (room.price, room.leader) = (1, nil)
        case "PRICE":
            let amount = Int(words[1]) ?? 0
            room.bids["\(amount) \(words[2])", default: []].append(room.news.count)
            room.bidTimes.append(time)
            guard let least = room.price, amount >= least else {
                return Violation(promise: .rises, facts: "\(text) in \(name)")
            }
            (room.price, room.leader) = (amount + 1, (words[2], amount))
            room.owners[words[2].lowercased()]?.hasBid = true
        case "WINNER":
            guard let leader = room.leader, leader == (words[1], Int(words[2]) ?? 0) else {
                return Violation(promise: .oneWinner, facts: "\(text) in \(name)")
            }
            (room.price, room.leader) = (nil, nil)
        case "PASSED": (room.price, room.leader) = (nil, nil)
        case "NAME":
            let bidder = words[1].lowercased()
            for (other, known) in rooms where other != name {
                guard let owner = known.owners[bidder], owner.hash != words[2] else { continue }
                return Violation(
                    promise: .names, facts: "\(text) in \(name), and \(other) has \(owner.hash)")
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
