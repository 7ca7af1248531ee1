import Auction
import Posix
import Wire

/// The lots in a file: one on each line, its title and then options such as `reserve=80`.
///
/// Empty lines and lines that begin with `#` are skipped.
public struct LotsFile: Equatable, Sendable {
    /// The most bytes of a file.
    public static let mostBytes = 4 << 20
    /// The most lots of a file.
    public static let mostLots = Sale.mostKept

    /// The lots, in order.
    public let plans: [LotPlan]

    /// Reads a file, whose lots must go together with the rules that the others have.
    ///
    /// - Throws: `LotsFileError` if the file cannot be read, or for its first wrong line.
    public init(_ path: String, rules: Rules) throws(LotsFileError) {
        try self.init(try Self.bytes(of: path), of: path, rules: rules)
    }

    private static func bytes(of path: String) throws(LotsFileError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try readWholeFile(path, atMost: mostBytes + 1)
        } catch {
            throw LotsFileError(path: path, reason: "cannot be read: \(error.reason)")
        }
        guard bytes.count <= mostBytes else {
            throw LotsFileError(path: path, reason: "has more than \(mostBytes) bytes")
        }
        return bytes
    }

    private static func text(
        of bytes: [UInt8], _ path: String
    ) throws(LotsFileError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LotsFileError(path: path, reason: "is not UTF-8: save it as UTF-8")
        }
        return text
    }

    /// Parses the bytes of a file; errors name `path`.
    package init(_ bytes: [UInt8], of path: String, rules: Rules) throws(LotsFileError) {
        let text = try Self.text(of: bytes, path)
        var plans: [LotPlan] = []
        for (index, line) in text.linesOfFile.enumerated() {
            guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else {
                continue
            }
            guard plans.count < Self.mostLots else {
                throw LotsFileError(
                    path: path, line: index + 1, reason: "more than \(Self.mostLots) lots")
            }
            plans.append(try Self.plan(line, number: index + 1, of: path, rules: rules))
        }
        guard !plans.isEmpty else {
            throw LotsFileError(path: path, reason: "has no lot: write one on each line")
        }
        self.plans = plans
    }

    private static func plan(
        _ line: Substring, number: Int, of path: String, rules: Rules
    ) throws(LotsFileError) -> LotPlan {
        do {
            let plan = try LotPlan(line: line)
            _ = try plan.options.rules(rules)
            return plan
        } catch {
            throw LotsFileError(path: path, line: number, reason: "\(error)")
        }
    }
}

/// The reason why the lots of a file cannot be used.
public struct LotsFileError: Error, Equatable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// The number of the wrong line, from 1; nil if the file as a whole is wrong.
    public let line: Int?
    /// What is wrong, and what to write instead.
    public let reason: String

    package init(path: String, line: Int? = nil, reason: String) {
        (self.path, self.line, self.reason) = (path, line, reason)
    }

    /// One line: the file, the number of the line, and what is wrong.
    public var description: String {
        path + (line.map { ", line \($0): " } ?? " ") + reason
    }
}

extension ClassPlan {
    /// Reads the file of a class.
    ///
    /// - Throws: `LotsFileError` if the file cannot be read, or has a wrong line.
    public init(file path: String) throws(LotsFileError) {
        self = try LotsFile.parse(path) { (text) throws(ClassFileError) in
            try ClassPlan(text: text)
        }
    }
}

extension Roster {
    /// Reads the file of a roster.
    ///
    /// - Throws: `LotsFileError` if the file cannot be read, or has a wrong line.
    public init(file path: String) throws(LotsFileError) {
        self = try LotsFile.parse(path) { (text) throws(ClassFileError) in
            try Roster(text: text)
        }
    }
}

extension LotsFile {
    /// Reads a file of text that a class has.
    fileprivate static func parse<Content>(
        _ path: String, _ parse: (String) throws(ClassFileError) -> Content
    ) throws(LotsFileError) -> Content {
        let text = try text(of: try bytes(of: path), path)
        do throws(ClassFileError) {
            return try parse(text)
        } catch {
            throw LotsFileError(path: path, line: error.line, reason: error.reason)
        }
    }
}
