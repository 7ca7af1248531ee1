/// What is being sold: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

    /// The most bytes that a title can have.
    public static let longestTitle = 200

    /// What writes one character out of several, in Persian and in emoji.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Tells whether a text can be a title: one line that is not blank, without control characters.
    public static func isTitle(_ text: String) -> Bool {
        text.utf8.count <= longestTitle && text.contains { $0 != " " }
            && text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory.isPrintable || joiners.contains($0)
            }
    }

    /// Makes a lot with a title of its own.
    public init(number: Int, title: String) {
        self.number = number
        self.title = title
    }

    /// Makes a lot that has no title but its number, such as `lot-1`.
    public init(number: Int) {
        self.init(number: number, title: "lot-\(number)")
    }
}

extension Unicode.GeneralCategory {
    /// Whether such a character stays on its line and leaves the rest of it as it is.
    fileprivate var isPrintable: Bool {
        switch self {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: false
        default: true
        }
    }
}
