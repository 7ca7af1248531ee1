import Posix
import Transport
import Wire

/// The observer through which every connection hears the news: each line is encoded once per
/// format, and appended once to the feed that connections follow.
final class NewsFeed {
    private let connections: Connections
    private var line: [UInt8] = []

    init(_ connections: Connections) {
        self.connections = connections
    }

    /// Appends a line of news to the feed of each format, encoded if somebody hears it.
    func receive(_ news: News) {
        connections.append(news.line, feed: Format.text.feed)
        guard connections.isFollowed(Format.json.feed) else { return }
        encode(news.notice, seq: news.seq, as: .json)
        connections.append(line[...], feed: Format.json.feed)
    }

    /// Sends a line to one connection, in its place among the news.
    func reply(_ notice: Notice, seq: Int?, to handle: Handle, as format: Format) {
        encode(notice, seq: seq, as: format)
        connections.reply(handle, line)
    }

    private func encode(_ notice: Notice, seq: Int?, as format: Format) {
        line.removeAll(keepingCapacity: true)
        switch format {
        case .text: notice.appendText(to: &line)
        case .json:
            notice.appendJSON(to: &line, seq: seq, millisecondsSince1970: wallClockMilliseconds())
        }
    }
}

extension Format {
    /// The number of the feed that is written in this format.
    var feed: Int {
        switch self {
        case .text: 0
        case .json: 1
        }
    }
}
