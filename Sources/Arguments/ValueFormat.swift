/// How a value is written on a command line.
public struct ValueFormat<Value: Sendable>: Sendable {
    let placeholder: String
    let expected: String
    let bounds: String?
    let read: @Sendable (String) -> Value?
    let write: @Sendable (Value) -> String
    /// The valid words, for a hint if a word is misspelt; empty if they are not a few.
    let words: [String]

    /// Creates a format from its parts.
    ///
    /// The help shows `placeholder` for the value, and `bounds`, such as "1 to 3600", before the
    /// default. In an error, `expected` follows "must be". `read` gets at least one character and
    /// returns nil for a wrong value; `write` is its inverse. If a value must be one of `words`, or
    /// several of them separated by commas, an error suggests the most similar one.
    public init(
        placeholder: String, expected: String, bounds: String? = nil, words: [String] = [],
        read: @escaping @Sendable (String) -> Value?, write: @escaping @Sendable (Value) -> String
    ) {
        self.words = words
        self.placeholder = placeholder
        self.expected = expected
        self.bounds = bounds
        self.read = read
        self.write = write
    }

    /// Parses as this format does, but returns the argument unconverted.
    var unread: ValueFormat<String> {
        ValueFormat<String>(
            placeholder: placeholder, expected: expected, bounds: bounds, words: words,
            read: { [read] in read($0) == nil ? nil : $0 }, write: { $0 })
    }
}

extension ValueFormat {
    /// Another format, or `none` for nil.
    public static func orNone<Wrapped>(_ format: ValueFormat<Wrapped>) -> ValueFormat
    where Value == Wrapped? {
        ValueFormat(
            placeholder: format.placeholder, expected: "\(format.expected), or none",
            bounds: format.bounds.map { "\($0), or none" }, words: format.words,
            read: { word in word == "none" ? .some(nil) : format.read(word).map { .some($0) } },
            write: { value in value.map(format.write) ?? "none" })
    }
}

extension ValueFormat where Value == String {
    /// Any text of at least one character.
    public static func text(_ placeholder: String) -> ValueFormat {
        ValueFormat(placeholder: placeholder, expected: "text", read: { $0 }, write: { $0 })
    }
}

extension ValueFormat where Value: LosslessStringConvertible {
    /// A word that the type can read; `allowed` says which, after "must be".
    public static func word(_ placeholder: String, _ allowed: String) -> ValueFormat {
        ValueFormat(
            placeholder: placeholder, expected: allowed, read: { Value($0) },
            write: { $0.description })
    }
}

extension ValueFormat where Value: FixedWidthInteger {
    /// A whole number within `range`, in decimal digits without a plus sign.
    public static func whole(_ range: ClosedRange<Value>, _ placeholder: String = "N")
        -> ValueFormat
    {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        return ValueFormat(
            placeholder: placeholder, expected: "a whole number from \(bounds)", bounds: bounds,
            read: { word in
                guard word.first != "+", let value = Value(word) else { return nil }
                return range.contains(value) ? value : nil
            },
            write: { "\($0)" })
    }
}

extension ValueFormat where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the raw values of an enumeration, in the order of its cases.
    public static var choice: ValueFormat {
        let words = Value.allCases.map(\.rawValue)
        return ValueFormat(
            placeholder: words.joined(separator: "|"),
            expected: words.joined(separator: ", ", last: " or "), words: words,
            read: { Value(rawValue: $0) }, write: { $0.rawValue })
    }
}

extension ValueFormat {
    /// One or more raw values of an enumeration, separated by commas.
    public static func choices<Element>() -> ValueFormat
    where
        Value == [Element], Element: CaseIterable & RawRepresentable, Element.RawValue == String
    {
        let names = Element.allCases.map(\.rawValue)
        return ValueFormat(
            placeholder: "LIST",
            expected: "one or more of \(names.joined(separator: ", ")), separated by commas",
            words: names,
            read: { text in
                let words = text.split(separator: ",", omittingEmptySubsequences: false)
                let elements = words.compactMap { Element(rawValue: String($0)) }
                return elements.count == words.count ? elements : nil
            },
            write: { $0.map(\.rawValue).joined(separator: ",") })
    }
}

extension ValueFormat where Value == ClosedRange<Int64> {
    /// Two numbers within `bounds` such as `50..150`, the lower one first.
    public static func range(within bounds: ClosedRange<Int64>) -> ValueFormat {
        let number = ValueFormat<Int64>.whole(bounds)
        return ValueFormat(
            placeholder: "A..B", expected: "two amounts such as 50..150, the lower one first",
            read: { text in
                let parts = text.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count == 3, parts[1].isEmpty,
                    let low = number.read(String(parts[0])),
                    let high = number.read(String(parts[2])), low <= high
                else { return nil }
                return low...high
            },
            write: { "\($0.lowerBound)..\($0.upperBound)" })
    }
}

extension ValueFormat where Value == Duration {
    /// A number of seconds within `range`, in digits with or without a decimal point.
    ///
    /// Rounded to the nanosecond. `range` must lie within 0 to 1,000,000,000 seconds.
    public static func seconds(_ range: ClosedRange<Duration>) -> ValueFormat {
        let limit = 1_000_000_000.0  // 1e9 s in nanoseconds still fits Int64
        precondition(
            range.lowerBound >= .zero && range.upperBound <= .seconds(limit),
            "The range must lie within 0 to 1,000,000,000 seconds.")
        let bounds = "\(range.lowerBound.inSeconds) to \(range.upperBound.inSeconds)"
        return ValueFormat(
            placeholder: "SECONDS", expected: "a number of seconds from \(bounds)", bounds: bounds,
            read: { word in
                let isDecimal = word.utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
                guard isDecimal, let number = Double(word), number <= limit else { return nil }
                let value = Duration.nanoseconds(Int64((number * 1e9).rounded()))
                return range.contains(value) ? value : nil
            },
            write: { $0.inSeconds })
    }
}

extension Duration {
    /// The seconds as a user would write them: `3`, not `3.0`.
    fileprivate var inSeconds: String {
        let text = "\(self / .seconds(1))"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension [String] {
    /// The words as a list in a sentence: with `", "` and `" and "`, `a, b and c`.
    func joined(separator: String, last: String) -> String {
        guard let final = self.last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: separator) + last + final
    }
}

extension UInt8 {
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
