/// What is being sold: its number in the sale, and its title.
public struct Lot: Hashable, Sendable {
    /// The number, from 1.
    public let number: Int

    /// The title, one line of text.
    public let title: String

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
