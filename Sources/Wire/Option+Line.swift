import Auction
import Basics

/// The options of a room, as the command `open` and the journal have them.
extension RoomOptions {
    /// Parses words such as `seconds=10 lots=5 worth=50..150` in any order; there may be none.
    ///
    /// - Throws: The first problem from the left, or what does not go together.
    public init(line: some StringProtocol) throws(OptionProblem) {
        var words = OptionWords(of: Option.ofRoom, example: "lots=5")
        try words.read(all: line)
        self = words.options
        try check()
    }

    /// Throws what does not go together.
    fileprivate func check() throws(OptionProblem) {
        if let problem = conflictOfValues() ?? conflictOfLeftover() { throw problem }
    }

    /// The words of the options, which `init(line:)` parses; empty if there is none.
    public var line: String { words(of: Option.ofRoom).joined(separator: " ") }

    fileprivate func words(of options: [Option]) -> [String] {
        options.compactMap { option in option.text(self).map { "\(option.name)=\($0)" } }
    }
}

/// Changes of options, as the auctioneer's `set` has them.
public struct OptionChanges: Equatable, Sendable {
    /// The words, which `init(line:)` parses.
    public let line: String

    /// Parses words such as `seconds=10 purse=none`; `none` takes an option back.
    ///
    /// - Throws: The first problem from the left.
    public init(line: some StringProtocol) throws(OptionProblem) {
        self.line = String(line)
        _ = try words(after: RoomOptions())
    }

    /// Returns options with these changes.
    ///
    /// - Throws: What does not go together after them.
    public func applied(to options: RoomOptions) throws(OptionProblem) -> RoomOptions {
        let changed = try words(after: options)
        try changed.check()
        return changed
    }

    private func words(after options: RoomOptions) throws(OptionProblem) -> RoomOptions {
        // A sale that waits is begun by `start`.
        let allowed = Option.ofRoom.filter { $0.name != Option.wait.name }
        var words = OptionWords(of: allowed, example: "seconds=10", changing: options)
        try words.read(all: line)
        return words.options
    }
}

/// The line of a lot, as a file of lots, the auctioneer's `add` and the journal have it.
extension LotPlan {
    /// Parses a title and the options after it, such as `Blue vase reserve=80 format=sealed`.
    ///
    /// The words at the end of the line that contain `=` are options; the rest is the title. The
    /// word `--` between both is left out, so that a title can end in such a word.
    ///
    /// - Throws: The first problem from the right.
    public init(line: some StringProtocol) throws(OptionProblem) {
        var rest = Substring(line).trimmed
        var words = OptionWords(
            of: Option.ofLot, example: "reserve=80",
            alternative: ", or write -- after a title that ends so")
        while let word = rest.lastWord, word.utf8.contains(UInt8(ascii: "=")) {
            try words.read(word)
            rest = Substring(rest.utf8.dropLast(word.utf8.count)).trimmed
        }
        if let word = rest.lastWord, word == Self.titleEnd {
            rest = Substring(rest.utf8.dropLast(Self.titleEnd.utf8.count)).trimmed
        }
        guard Lot.isTitle(String(rest)) else { throw .badTitle }
        self.init(title: String(rest), options: words.options.lot)
    }

    private static let titleEnd = "--"

    /// The line of the plan, which `init(line:)` parses.
    public var line: String {
        let last = Substring(title).lastWord ?? ""
        let isClear = last != Self.titleEnd && !last.utf8.contains(UInt8(ascii: "="))
        let words = RoomOptions(lot: options).words(of: Option.ofLot)
        return ([title] + (isClear ? [] : [Self.titleEnd]) + words).joined(separator: " ")
    }
}

extension OptionProblem {
    /// There is no title before the options of a lot, or it is too long or not printable.
    static let badTitle = OptionProblem(
        "a lot has a title of 1 to \(Lot.longestTitle) bytes, without tabs or other control "
            + "characters, and then its options")
}

/// Reads the words of a line into options.
private struct OptionWords {
    private(set) var options: RoomOptions
    private let allowed: [Option]
    private let example: String
    private let alternative: String
    private let changes: Bool
    private var given: Set<String> = []
    /// What takes an option back in place of a value.
    private static let none = "none"

    /// Accepts the options in `allowed`; an error may show `example`, then `alternative`.
    ///
    /// With `options`, which the words change, a word can also take an option back.
    init(
        of allowed: [Option], example: String, alternative: String = "",
        changing options: RoomOptions? = nil
    ) {
        (self.allowed, self.example, self.alternative) = (allowed, example, alternative)
        (self.options, changes) = (options ?? RoomOptions(), options != nil)
    }

    /// Reads the words of a line from the left.
    mutating func read(all line: some StringProtocol) throws(OptionProblem) {
        for word in Substring(line).words { try read(word) }
    }

    mutating func read(_ word: Substring) throws(OptionProblem) {
        let name = word.utf8.prefix { $0 != UInt8(ascii: "=") }
        guard name.endIndex < word.endIndex else {
            throw OptionProblem(
                "\(Substring(name).shown) has no value: an option is a word such as \(example)")
        }
        guard let option = allowed.first(where: { $0.name.utf8.elementsEqual(name) }) else {
            guard !name.isEmpty else {
                throw OptionProblem("an option has a name before its value, such as \(example)")
            }
            let names = allowed.map(\.name).alternatives
            throw OptionProblem("\(Substring(name).shown) is no option: use \(names)\(alternative)")
        }
        guard given.insert(option.name).inserted else {
            throw OptionProblem("\(option.name) is given twice")
        }
        let value = String(Substring(word.utf8[name.endIndex...].dropFirst()))
        if changes, value == Self.none { return option.clear(&options) }
        guard option.set(value, &options) else {
            let none = changes ? ", or \(Self.none)" : ""
            throw OptionProblem("\(option.name) must be \(option.allowed)\(none)")
        }
    }
}

extension Substring {
    /// The last word of a text without blanks at its end; nil if it has none.
    fileprivate var lastWord: Substring? {
        guard !isEmpty else { return nil }
        guard let blank = utf8.lastIndex(where: \.isBlank) else { return self }
        return Substring(utf8[blank...].dropFirst())
    }
}

extension Substring {
    /// The text without blanks around it.
    var trimmed: Substring {
        let rest = utf8.drop(while: \.isBlank)
        guard let last = rest.lastIndex(where: { !$0.isBlank }) else { return "" }
        return Substring(rest[...last])
    }

    /// The words between blanks.
    var words: [Substring] { utf8.split(whereSeparator: \.isBlank).map { Substring($0) } }

    /// The beginning of untrusted text, as an error shows it.
    var shown: String { String(Substring(unicodeScalars.prefix(Bidder.longest))).escaped }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
