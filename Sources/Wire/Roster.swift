import Auction
import Basics

/// The students of a class, whose names are reserved for them.
///
/// A file has a name on each line, maybe with a display name after it, and comments after `#`.
public struct Roster: Equatable, Sendable {
    /// A student: the name, and the form of it that people see.
    public struct Student: Equatable, Sendable {
        /// The name.
        public let bidder: Bidder
        /// The display name; nil if it is the name.
        public let display: String?
    }

    /// The most names, which all have a place in the room of a class.
    public static let most = 1_000

    /// The students, in the order of the file.
    public private(set) var students: [Student] = []

    /// Parses a file.
    ///
    /// - Throws: The first wrong line, or that there is no name.
    public init(text: String) throws(ClassFileError) {
        let lines = text.linesOfFile
        // The line of each name and display name in lower case: nobody may be called as another.
        var taken: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            do throws(OptionProblem) {
                try read(line.withoutComment, number: index + 1, &taken)
            } catch {
                throw ClassFileError(line: index + 1, reason: error.description)
            }
        }
        guard !students.isEmpty else {
            throw ClassFileError(
                line: nil, reason: "has no names: write one on each line, such as alice")
        }
    }

    private mutating func read(
        _ line: Substring, number: Int, _ taken: inout [String: Int]
    ) throws(OptionProblem) {
        let words = line.words
        guard let name = words.first else { return }
        guard let bidder = Bidder(String(name)) else {
            throw OptionProblem(
                "\(name.shown) is no name: a name has 1 to \(Bidder.longest) letters from a to z or "
                    + "A to Z, digits, _ or -, and a display name may follow it, such as "
                    + "zoe Zoë Müller")
        }
        guard students.count < Self.most else {
            throw OptionProblem("a class has at most \(Self.most) names")
        }
        let text = words.dropFirst().joined(separator: " ")
        let display = text.isEmpty || text == name ? nil : text
        guard display.map(DisplayName.isValid) != false else {
            throw OptionProblem(
                "\(Substring(text).shown) is no display name: it has 1 to \(DisplayName.longest) "
                    + "letters, digits, spaces, -, _, ' or .")
        }
        let forms = Set([name.lowercased()] + [display?.lowercased()].compactMap { $0 })
        for form in forms.sorted() {
            if let first = taken.updateValue(number, forKey: form) {
                throw OptionProblem(
                    "\(Substring(form).shown) is there twice, first in line \(first): choose another "
                        + "name for one of them")
            }
        }
        students.append(Student(bidder: bidder, display: display))
    }
}
