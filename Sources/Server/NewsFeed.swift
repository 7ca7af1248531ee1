import Wire

/// The observer through which every connection hears the news: each line is encoded once per
/// format, and appended once to the feed of each shard, which its connections follow.
final class NewsFeed {
    private let audiences: [any Audience]
    private var line: [UInt8] = []

    init(_ audiences: [any Audience]) {
        self.audiences = audiences
    }

    /// Appends a line of news to the feed of each format, encoded if somebody hears it.
    func receive(_ news: News) {
        for audience in audiences { audience.append(news.line, as: .text) }
        guard audiences.contains(where: { $0.hears(.json) }) else { return }
        line.removeAll(keepingCapacity: true)
        news.notice.append(to: &line, as: .json, seq: news.seq)
        for audience in audiences where audience.hears(.json) {
            audience.append(line[...], as: .json)
        }
    }
}
