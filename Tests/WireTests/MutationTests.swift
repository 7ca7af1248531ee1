import Auction
import TestSupport
import Testing
import Wire

/// Lines that nobody should send: those of the contract, with a few bytes changed, doubled, lost or
/// put elsewhere.
@Suite struct MutationTests {
    @Test(
        "whatever a server sends is parsed or refused, and what is parsed prints", arguments: 0..<8)
    func messages(seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        let lines = ServerMessageTests.lines.map(\.line) + ServerMessageJSONTests.exact.map(\.line)
        for _ in 0..<5_000 {
            let text = chance.mutate(lines.randomElement(using: &chance) ?? "")
            for message in [ServerMessage(text: text), ServerMessage(json: text)].compactMap({ $0 })
            {
                var bytes: [UInt8] = []
                message.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: 0)
                #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1)
                #expect(ServerMessage(text: message.text) != nil || text.hasPrefix("{"))
            }
        }
    }

    @Test(
        "whatever a client sends is parsed or refused, and what is parsed is a request",
        arguments: 0..<8)
    func requests(seed: UInt64) throws {
        var chance = SplitMix64(seed: seed)
        let lines = RequestTests.requests.map(\.line) + RequestTests.faults.map(\.line)
        for _ in 0..<5_000 {
            let text = chance.mutate(lines.randomElement(using: &chance) ?? "")
            guard let request = try? Request(line: text) else { continue }
            #expect(try Request(line: request.description) == request)
        }
    }
}

extension SplitMix64 {
    fileprivate mutating func mutate(_ line: String) -> String {
        var bytes = Array(line.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8(ascii: "9"), at: place)
            case 3: bytes.insert(contentsOf: Array(repeating: bytes[place], count: 30), at: place)
            default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &self))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
