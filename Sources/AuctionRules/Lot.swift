import SafeText

/// What is being sold: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

    /// The most bytes that a title can have.
    public static let longestTitle = 200

    /// Tells whether a text can be a title: one line that can be seen, and shown to anybody.
    public static func isTitle(_ text: String) -> Bool {
        text.utf8.count <= longestTitle && text.isPrintable
            && text.unicodeScalars.contains(where: \.isVisible)
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
