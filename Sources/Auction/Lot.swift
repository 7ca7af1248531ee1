import Basics

/// An item for sale: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

    /// The maximum length of a title in UTF-8 bytes.
    public static let longestTitle = 200

    /// Whether a text can be a title: one printable line with at least one visible character.
    public static func isTitle(_ text: String) -> Bool {
        text.utf8.count <= longestTitle && text.isPrintable
            && text.unicodeScalars.contains(where: \.isVisible)
    }

    /// Creates a lot with a title, which must satisfy `isTitle`; this is not checked.
    public init(number: Int, title: String) {
        self.number = number
        self.title = title
    }

    /// Creates a lot titled after its number, such as `lot-1`.
    public init(number: Int) {
        self.init(number: number, title: "lot-\(number)")
    }
}
