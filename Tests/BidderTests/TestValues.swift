import Auction
import Bidder
import MarbleSupport
import Reactive
import Terminal
import Testing
import Wire

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

/// A line of text as the same message in JSON.
func inJSON(_ line: String) -> String {
    guard let message = ServerMessage(text: line) else { return line }
    return inJSON(message)
}

/// A message as a line of JSON.
func inJSON(_ message: ServerMessage) -> String {
    var bytes: [UInt8] = []
    message.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: nil)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
}

extension OneShotSession {
    /// Receives a greeting, and then lines in JSON, which are written as text.
    mutating func receiveInJSON(after hello: String, _ lines: [String]) -> [ClientEffect] {
        ([hello, "OK format json"] + lines.map { inJSON($0) }).flatMap { receive($0) }
    }
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

/// A model, and the sale of a server whose news it receives.
@dynamicMemberLookup
struct PlayedModel {
    var model: Model
    private var server = StageSale(seconds: 7, step: price(1))

    /// Makes the model of a bidder, or of an observer, after the greeting at a time.
    init(of name: String? = nil, at now: Duration = .zero, _ messages: [ServerMessage] = []) {
        model = Model(bidder: name.flatMap { Bidder($0) }, server: "there")
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
