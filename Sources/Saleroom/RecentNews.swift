import Wire

/// The newest news of a sale, for clients that ask what they missed.
///
/// The memory is bounded, and appending never moves or copies what is stored.
struct RecentNews {
    /// The most news that is kept.
    static let mostKept = 1000

    /// A ring; the news after `start` is stored first.
    private var messages: [ServerMessage] = []
    /// The number of the news before the first that was appended.
    private let start: Int
    /// The number of the newest news.
    private var newest: Int

    /// Creates the empty news after the event of this number.
    init(after number: Int) {
        (start, newest) = (number, number)
    }

    /// The numbers of the news that is kept.
    var numbers: Range<Int> { newest - messages.count + 1..<newest + 1 }

    /// The news with this number, which is kept; O(1).
    ///
    /// - Precondition: The number is among `numbers`.
    subscript(number: Int) -> ServerMessage {
        precondition(numbers.contains(number), "news is read while it is kept")
        return messages[place(of: number)]
    }

    /// Appends the next news, and drops the oldest if there is too much; O(1).
    mutating func append(_ message: ServerMessage) {
        newest += 1
        if messages.count < Self.mostKept {
            messages.append(message)
        } else {
            messages[place(of: newest)] = message
        }
    }

    private func place(of number: Int) -> Int { (number - start - 1) % Self.mostKept }
}
