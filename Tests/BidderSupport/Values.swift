import Auction
import Bidder
import Wire

/// Makes a name.
package func bidder(_ name: String) -> Bidder {
    guard let bidder = Bidder(name) else { preconditionFailure("\(name) is no name") }
    return bidder
}

/// Makes a price.
package func price(_ amount: Int64) -> Price {
    guard let price = Price(amount) else { preconditionFailure("\(amount) is no price") }
    return price
}

/// The lines that effects print.
package func printed(_ effects: [ClientEffect]) -> [String] {
    effects.compactMap { if case .show(let line) = $0 { line.text } else { nil } }
}

/// The complaints among effects.
package func complained(_ effects: [ClientEffect]) -> [String] {
    effects.compactMap { if case .complain(let text) = $0 { text } else { nil } }
}

/// A line of text as the same message in JSON.
package func inJSON(_ line: String) -> String {
    guard let message = ServerMessage(text: line) else { return line }
    return inJSON(message)
}

/// A message as a line of JSON.
package func inJSON(_ message: ServerMessage) -> String {
    var bytes: [UInt8] = []
    message.appendJSON(to: &bytes, seq: nil, millisecondsSince1970: nil)
    return String(decoding: bytes.dropLast(), as: UTF8.self)
}

extension OneShotSession {
    /// Receives a greeting, and then lines in JSON, which are written as text.
    package mutating func receiveInJSON(after hello: String, _ lines: [String]) -> [ClientEffect] {
        ([hello, "OK format json"] + lines.map { inJSON($0) }).flatMap { receive($0) }
    }
}

/// Makes a bid.
package func lap(_ number: Int, _ amount: Int64, _ name: String, at elapsed: Duration = .zero)
    -> Bid
{
    Bid(number: number, price: price(amount), bidder: bidder(name), elapsed: elapsed)
}

/// Makes the name of a room.
package func room(_ name: String) -> RoomName {
    guard let room = RoomName(name) else { preconditionFailure("\(name) is no room") }
    return room
}

/// The news that a lot opens, or opened some time ago.
package func lotOpened(
    _ number: Int, _ title: String? = nil, start: Int64? = nil, elapsed: Duration = .zero
) -> ServerMessage {
    let lot = title.map { Lot(number: number, title: $0) } ?? Lot(number: number)
    return .event(.lotOpened(lot), .init(start: start.map { price($0) }, elapsed: elapsed))
}

/// The news that a lot is not sold.
package func lotPassed(
    _ number: Int, _ title: String? = nil, reason: String = "no-bids"
) -> ServerMessage {
    let lot = title.map { Lot(number: number, title: $0) } ?? Lot(number: number)
    return .event(.lotPassed(lot, reason: reason, elapsed: nil))
}

/// The news that a lot is sold.
package func lotSold(
    _ number: Int, _ title: String, to name: String, for amount: Int64, at elapsed: Duration
) -> ServerMessage {
    .event(
        .lotSold(
            SoldLot(
                number: number, title: title, bidder: bidder(name), price: price(amount),
                elapsed: elapsed)))
}

/// The news that a bidder joins.
package func joined(_ name: String) -> ServerMessage { .event(.bidderJoined(bidder(name))) }

/// The news that a bidder leaves.
package func left(_ name: String) -> ServerMessage { .event(.bidderLeft(bidder(name))) }
