import Auction
import Bidder
import BidderSupport
import MarbleSupport
import Reactive
import Terminal
import Testing
import Wire

/// A model, and the sale of a server whose news it receives.
@dynamicMemberLookup
struct PlayedModel {
    var model: Model
    private var server = StageSale(seconds: 7, step: price(1))

    /// Makes the model of a bidder, or of an observer, after the greeting at a time.
    init(of name: String? = nil, at now: Duration = .zero, _ messages: [ServerMessage] = []) {
        model = Model(
            bidder: name.flatMap { Bidder($0) }, server: .network(host: "there", port: 7777))
        model.receive(.hello(seconds: 7, step: price(1)), at: now)
        receive(messages, at: now)
    }

    subscript<Value>(dynamicMember member: KeyPath<Model, Value>) -> Value {
        model[keyPath: member]
    }

    /// Receives messages, of which the events have the state of the sale after them.
    mutating func receive(_ messages: [ServerMessage], at now: Duration = .zero) {
        for (index, message) in messages.enumerated() {
            let sent = server.apply(message, before: messages.dropFirst(index + 1).first, at: now)
            if message.event.map({ $0.audience == .everyone }) ?? true {
                model.receive(sent, at: now)
            }
            guard let bidder = model.bidder else { continue }
            model.receive(.you(server.sale.ownState(of: bidder).json(after: nil)), at: now)
        }
    }

    mutating func receive(_ messages: ServerMessage..., at now: Duration = .zero) {
        receive(messages, at: now)
    }
}

extension PlayedModel {
    /// Loads bids as the laps.
    mutating func load(_ bids: [Bid], at now: Duration) {
        model.load(.laps, .laps(bids.count), bids.map { .lap($0) }, at: now)
    }
}

extension Series {
    /// The series after a change.
    func changed(_ change: (inout Series) -> Void) -> Series {
        var series = self
        change(&series)
        return series
    }

    func adding(_ point: Point, at tick: Int) -> Series { changed { $0.add(point, at: tick) } }

    func voiding(_ price: Price) -> Series { changed { $0.void(price) } }

    func filled(with bids: [Bid], at tick: Int?) -> Series {
        changed { $0.fill(with: bids, at: tick) }
    }
}

extension Laps {
    func adding(_ bid: Bid) -> Laps {
        var laps = self
        laps.add(bid)
        return laps
    }

    func voiding(_ number: Int) -> Laps {
        var laps = self
        laps.void(number)
        return laps
    }
}

extension Marbles {
    /// Plays the signal against the expected lines; after that nothing may be scheduled.
    ///
    /// MarbleSupport cannot contain this, because it is also compiled without Testing.
    func expect(
        _ signal: Signal<Character>, until end: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(differences(signal, until: end) == [], sourceLocation: sourceLocation)
    }
}
