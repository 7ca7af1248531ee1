import Lobby
import Posix
import ServerCore
import Web
import Wire

/// News for everybody: a message, and its number among all news.
struct News: Sendable {
    private let batch: Batch
    private let effect: Int
    private let range: Range<Int>
    /// The number; it increases by one without a gap.
    let seq: Int

    /// Refers to an effect of a batch by its index, and to its line in the batch's text.
    init(_ effect: Int, of batch: Batch, line: Range<Int>, seq: Int) {
        (self.effect, self.batch, range, self.seq) = (effect, batch, line, seq)
    }

    /// The message; each access makes a copy.
    var message: ServerMessage {
        guard case .news(let message, _, _) = batch.effects[effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return message
    }

    /// The line of text, with its end: the same bytes that the journal keeps.
    var line: ArraySlice<UInt8> { batch.text[range] }
}

/// The observer of news that appends each to the feeds of all loops.
///
/// A message is encoded once for each encoding that a connection follows.
final class Broadcaster {
    private let outputs: [any ShardOutput]
    private var line: [UInt8] = []
    private var frame: [UInt8] = []

    init(_ outputs: [any ShardOutput]) {
        self.outputs = outputs
    }

    /// Appends news to the feed of each encoding.
    func receive(_ news: News) {
        let text = news.line
        for index in outputs.indices { outputs[index].append(text, as: .text) }
        let (usesLines, usesFrames) = (isFollowed(in: .json), isFollowed(in: .webSocket))
        guard usesLines || usesFrames else { return }
        line.removeAll(keepingCapacity: true)
        news.message.appendJSON(
            to: &line, seq: news.seq, millisecondsSince1970: wallClockMilliseconds())
        if usesLines { append(line, as: .json) }
        guard usesFrames else { return }
        frame.removeAll(keepingCapacity: true)
        WebSocketFrame.appendText(jsonLine: line[...], to: &frame)
        append(frame, as: .webSocket)
    }

    private func isFollowed(in encoding: Encoding) -> Bool {
        outputs.contains { $0.isFollowed(in: encoding) }
    }

    private func append(_ record: [UInt8], as encoding: Encoding) {
        for output in outputs where output.isFollowed(in: encoding) {
            output.append(record[...], as: encoding)
        }
    }
}
