import Auction
import BidderView
import MarbleSupport
import Reactive
import Testing

func bidder(_ name: String) -> Bidder {
    guard let bidder = Bidder(name) else { preconditionFailure("\(name) is no name") }
    return bidder
}

func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("\(amount) is no price") }
    return price
}

/// The lines that effects print.
func printed(_ effects: [ClientEffect]) -> [String] {
    effects.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
}

/// The complaints among effects.
func complained(_ effects: [ClientEffect]) -> [String] {
    effects.compactMap { if case .complain(let text) = $0 { text } else { nil } }
}

/// Makes a bid.
func lap(_ number: Int, _ amount: Int64, _ name: String, at elapsed: Duration = .zero) -> Bid {
    Bid(number: number, price: price(amount), bidder: bidder(name), elapsed: elapsed)
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
