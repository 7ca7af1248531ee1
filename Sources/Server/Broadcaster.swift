import Lobby
import ServerCore
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
        guard case .news(let message, _) = batch.effects[effect] else {
            preconditionFailure("news refer to an effect that is news")
        }
        return message
    }

    /// The line of text, with its end: the same bytes that the journal keeps.
    var line: ArraySlice<UInt8> { batch.text[range] }
}

/// The observer of news that appends each to the feeds of all loops.
///
/// A line is encoded once for each format that a connection follows.
final class Broadcaster {
    private let outputs: [any ShardOutput]
    private var line: [UInt8] = []

    init(_ outputs: [any ShardOutput]) {
        self.outputs = outputs
    }

    /// Appends news to the feed of each format.
    func receive(_ news: News) {
        let text = news.line
        for index in outputs.indices { outputs[index].append(text, as: .text) }
        guard outputs.contains(where: { $0.isFollowed(in: .json) }) else { return }
        line.removeAll(keepingCapacity: true)
        news.message.append(to: &line, as: .json, seq: news.seq)
        for output in outputs where output.isFollowed(in: .json) {
            output.append(line[...], as: .json)
        }
    }
}
