import AuctionRules
import Wire

extension ServerMessage {
    /// The line of text without its end.
    var words: String {
        var line: [UInt8] = []
        appendText(to: &line)
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}

extension Bid {
    /// What a line says of it.
    var words: String { ServerMessage.lap(self).words }
}
