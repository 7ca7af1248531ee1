import Auction
import TestSupport
import Testing

@Suite struct NumberedNamesTests {
    @Test("names come in the order of their numbers, from a number on, and as many as asked for")
    func entries() throws {
        var names = NumberedNames()
        for number in 1...1000 { names.append(try bidder(number), number: number) }
        #expect(names.count == 1000)
        #expect(names.entries(after: 0, limit: 2).map(\.number) == [1, 2])
        #expect(names.entries(after: 255, limit: 3).map(\.number) == [256, 257, 258])
        #expect(names.entries(after: 998, limit: 9).map(\.number) == [999, 1000])
        #expect(names.entries(after: 1000, limit: 9) == [])
        #expect(names.entries(after: 500, limit: 0) == [])
        #expect(names.entries(after: 7, limit: 1).map(\.bidder) == [try bidder(8)])
    }

    @Test("whatever was removed, the others stay in order", arguments: 0..<8)
    func model(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        var names = NumberedNames()
        var model: [Int] = []
        var newest = 0
        for _ in 0..<3000 {
            // Growing at first, and shrinking later.
            if Int.random(in: 0..<3000, using: &generator) > model.count * 2 {
                newest += .random(in: 1...3, using: &generator)
                names.append(try bidder(newest), number: newest)
                model.append(newest)
            } else {
                let number = Int.random(in: 0...newest, using: &generator)
                names.remove(number: number)
                model.removeAll { $0 == number }
            }
            let after = Int.random(in: 0...newest, using: &generator)
            let limit = Int.random(in: 0...400, using: &generator)
            let expected = model.filter { $0 > after }.prefix(limit)
            #expect(names.entries(after: after, limit: limit).map(\.number) == Array(expected))
            #expect(names.count == model.count)
            #expect(names.first?.number == model.first)
        }
        var all: [Bidder] = []
        names.forEach { all.append($0) }
        #expect(all == (try model.map(bidder)))
    }

    private func bidder(_ number: Int) throws -> Bidder {
        try #require(Bidder("n\(number)"))
    }
}
