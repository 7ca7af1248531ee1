import Auction
import House
import Posix
import Web
import Wire

/// An event for everybody in a room, and its number among the news of the room.
struct News: Sendable {
    private let batch: Batch
    private let effect: Int
    private let range: Range<Int>
    /// The number; it increases by one without a gap.
    let seq: Int
    /// The room.
    let room: RoomID

    /// Refers to the effect with this index in a batch, and to its line in the text of the batch.
    init(_ effect: Int, of batch: Batch, line: Range<Int>, seq: Int, room: RoomID) {
        (self.effect, self.batch, range) = (effect, batch, line)
        (self.seq, self.room) = (seq, room)
    }

    /// The event, and the state that it has changed, in JSON; each access makes a copy.
    var content: (event: SaleEvent, state: [UInt8]?) {
        guard case .news(let event, let state, _, _) = batch.effects[effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return (event, state)
    }

    /// The line of text, with its end: the same bytes that the journal keeps.
    var line: ArraySlice<UInt8> { batch.text[range] }
}

/// The observer of news that appends each to the feeds of its room on all loops.
///
/// A message is encoded once for each encoding that a connection in the room follows.
final class Broadcaster {
    private let outputs: [any ShardOutput]
    private var line: [UInt8] = []
    private var frame: [UInt8] = []

    init(_ outputs: [any ShardOutput]) {
        self.outputs = outputs
    }

    /// Appends news to the feed of each encoding.
    func receive(_ news: News) {
        var followed: Encodings = []
        for output in outputs { followed.formUnion(output.encodings(followedIn: news.room)) }
        if followed.contains(.text) { append(news.line, to: RoomFeed(news.room, .text)) }
        let (usesLines, usesFrames) = (followed.contains(.json), followed.contains(.webSocket))
        guard usesLines || usesFrames else { return }
        line.removeAll(keepingCapacity: true)
        let (event, state) = news.content
        ServerMessage.event(event, state).appendJSON(
            to: &line, seq: news.seq, millisecondsSince1970: wallClockMilliseconds())
        if usesLines { append(line[...], to: RoomFeed(news.room, .json)) }
        guard usesFrames else { return }
        frame.removeAll(keepingCapacity: true)
        WebSocketFrame.appendText(jsonLine: line[...], to: &frame)
        append(frame[...], to: RoomFeed(news.room, .webSocket))
    }

    private func append(_ record: ArraySlice<UInt8>, to feed: RoomFeed) {
        for output in outputs { output.append(record, to: feed) }
    }
}
