import SafeText

/// An item for sale: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

    /// The most bytes that a title can have.
    public static let longestTitle = 200

    /// Whether a text can be a title: one visible and printable line.
    public static func isTitle(_ text: String) -> Bool {
        text.utf8.count <= longestTitle && text.isPrintable
            && text.unicodeScalars.contains(where: \.isVisible)
    }

    /// Creates a lot with a title.
    public init(number: Int, title: String) {
        self.number = number
        self.title = title
    }

    /// Creates a lot without a title, which is called by its number, such as `lot-1`.
    public init(number: Int) {
        self.init(number: number, title: "lot-\(number)")
    }
}
