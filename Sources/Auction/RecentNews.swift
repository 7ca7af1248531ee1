/// The newest public events of a sale, for clients that ask what they missed.
///
/// The memory is bounded, and appending never moves or copies what is stored.
package struct RecentNews: Sendable {
    /// A public event, and when it happened.
    package struct News: Sendable {
        package let event: SaleEvent
        /// In milliseconds since 1970, at most a second early; nil if the journal does not have it.
        package let time: Int64?
    }

    /// The most news that is kept.
    package static let mostKept = 1000

    /// A ring; the news after `start` is stored first.
    private var news: [News] = []
    /// The number of the news before the first that was appended.
    private let start: Int
    /// The number of the newest news.
    private var newest: Int

    /// Creates the empty news after the event of this number.
    init(after number: Int) {
        (start, newest) = (number, number)
    }

    /// The numbers of the news that is kept.
    package var numbers: Range<Int> { newest - news.count + 1..<newest + 1 }

    /// The news with this number, which is kept; O(1).
    ///
    /// - Precondition: The number is among `numbers`.
    package subscript(number: Int) -> News {
        precondition(numbers.contains(number), "news is read while it is kept")
        return news[place(of: number)]
    }

    /// Appends the next news, and drops the oldest if there is too much; O(1).
    mutating func append(_ event: SaleEvent, time: Int64?) {
        newest += 1
        let entry = News(event: event, time: time)
        if news.count < Self.mostKept {
            news.append(entry)
        } else {
            news[place(of: newest)] = entry
        }
    }

    private func place(of number: Int) -> Int { (number - start - 1) % Self.mostKept }
}
