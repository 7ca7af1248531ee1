import Auction
import Basics

/// The file of a class: a setting on each line, such as `groups 3`, and comments after `#`.
///
/// The settings are listed below, each with how it is parsed and printed.
extension ClassPlan {
    /// Parses a file, whose settings may have any order.
    ///
    /// - Throws: The first wrong line, or else what is missing or does not go together.
    public init(text: String) throws(ClassFileError) {
        let lines = text.linesOfFile
        // The line of each setting that was given.
        var given: [String: Int] = [:]
        self.init()
        for (index, line) in lines.enumerated() {
            do throws(OptionProblem) {
                try read(line, number: index + 1, &given)
            } catch {
                throw ClassFileError(line: index + 1, reason: error.description)
            }
        }
        guard given["rounds"] != nil else {
            throw ClassFileError(
                line: nil, reason: "has no rounds: write a line such as \(Self.exampleOfRounds)")
        }
        try check(given)
    }

    /// The lines of a file with all settings that differ from their defaults.
    public var text: String {
        let standard = ClassPlan()
        return ClassSetting.all.compactMap { setting in
            guard let value = setting.text(self), value != setting.text(standard) else {
                return nil
            }
            return "\(setting.name) \(value)\n"
        }.joined()
    }

    private mutating func read(
        _ line: Substring, number: Int, _ given: inout [String: Int]
    ) throws(OptionProblem) {
        let line = line.withoutComment.trimmed
        guard let name = line.words.first else { return }
        guard let setting = ClassSetting.all.first(where: { $0.name == name }) else {
            let names = ClassSetting.all.map(\.name).alternatives
            throw OptionProblem("\(name.shown) is no setting: use \(names)")
        }
        if let first = given[setting.name] {
            throw OptionProblem("\(name) is given twice, first in line \(first)")
        }
        given[setting.name] = number
        if let first = given["values"], let second = given["common"] {
            throw OptionProblem(
                "values and common exclude each other: remove line \(min(first, second)) or \(number)"
            )
        }
        let value = Substring(line.utf8.dropFirst(name.utf8.count)).trimmed
        try setting.read(value, &self)
    }

    /// Requires that the rules of each round go together.
    private func check(_ given: [String: Int]) throws(ClassFileError) {
        // A start is the least bid of some formats, and the first asking price of others.
        let falls = Set(parts.map { $0.format.verb == .take })
        if let line = given["start"], falls.count > 1 {
            throw ClassFileError(
                line: line,
                reason: "start would be the first asking price of dutch rounds, and the least bid "
                    + "of the others: leave start out")
        }
        for round in rounds {
            do throws(OptionProblem) {
                _ = try lotPlan(for: round).options.rules(Rules(seconds: 1))
            } catch {
                let lines = ["reserve", "start", "values", "common", "rounds"]
                let line = lines.lazy.compactMap { given[$0] }.first ?? 1
                let problem = problemOfFall(in: round) ?? "\(error)"
                throw ClassFileError(
                    line: line, reason: "in \(round.format.rawValue) rounds \(problem)")
            }
        }
    }

    /// Why the price cannot fall from the highest value; nil if it does not begin there.
    private func problemOfFall(in round: ClassRound) -> String? {
        guard round.format.verb == .take, lot.start == nil,
            let start = lotPlan(for: round).options.start
        else { return nil }
        let highest = values.noise == nil ? "value" : "estimate"
        return "the price falls from the highest \(highest), \(start.amount): use "
            + (lot.reserve == nil ? "higher values" : "a lower reserve, or higher values")
    }

    fileprivate static let exampleOfRounds = "rounds 2 practice, 4 sealed, 4 vickrey"
}

/// The first problem of the file of a class, or of its roster.
public struct ClassFileError: Error, Equatable, CustomStringConvertible {
    /// The number of the wrong line, from 1; nil if a line is missing.
    public let line: Int?
    /// What is wrong, and what to write instead; without a line the file is the subject.
    public let reason: String

    /// The number of the line, and what is wrong.
    public var description: String { line.map { "line \($0): \(reason)" } ?? "the file \(reason)" }
}

/// A setting of a class: its name, and how its value is parsed and printed.
private struct ClassSetting: Sendable {
    let name: String
    let read: @Sendable (_ text: Substring, _ plan: inout ClassPlan) throws(OptionProblem) -> Void
    /// The value as it is written; nil if it is not set.
    let text: @Sendable (ClassPlan) -> String?

    private init(
        _ name: String,
        read: @escaping @Sendable (Substring, inout ClassPlan) throws(OptionProblem) -> Void,
        text: @escaping @Sendable (ClassPlan) -> String?
    ) {
        (self.name, self.read, self.text) = (name, read, text)
    }

    /// A setting whose value `set` returns false for if it is not allowed.
    private init(
        _ name: String, _ allowed: String,
        set: @escaping @Sendable (Substring, inout ClassPlan) -> Bool,
        text: @escaping @Sendable (ClassPlan) -> String?
    ) {
        self.init(
            name,
            read: { (value, plan) throws(OptionProblem) in
                guard set(value, &plan) else { throw OptionProblem("\(name) must be \(allowed)") }
            }, text: text)
    }

    /// A setting that is also an option of rooms, maybe by another name.
    private init(_ option: Option, name: String? = nil) {
        self.init(
            name ?? option.name, option.allowed,
            set: { option.set(String($0), &$1.options) }, text: { option.text($0.options) })
    }

    /// A setting that is one of the words of a type.
    private init<Value: CaseIterable & RawRepresentable<String> & SendableMetatype>(
        _ name: String, _ path: WritableKeyPath<ClassPlan, Value> & Sendable
    ) {
        self.init(
            name, Value.allCases.map(\.rawValue).alternatives,
            set: { text, plan in
                guard let value = Value(rawValue: text.words.joined(separator: " ")) else {
                    return false
                }
                plan[keyPath: path] = value
                return true
            }, text: { $0[keyPath: path].rawValue })
    }
}

extension ClassSetting {
    /// All settings, in the order in which they are printed.
    static let all = [
        title, groups, ClassSetting("rest", \.rest), ClassSetting(.worth, name: "values"), common,
        rounds, ClassSetting(.seconds), ClassSetting(.longest), ClassSetting(.start),
        ClassSetting(.step), ClassSetting(.reserve), ClassSetting(.pause), show, pay, same, leavers,
    ]

    private static let title = ClassSetting(
        "title", "1 to \(Lot.longestTitle) bytes of text without control characters",
        set: { text, plan in
            plan.title = String(text)
            return Lot.isTitle(plan.title)
        }, text: \.title)

    private static let groups = ClassSetting(
        "groups",
        "a whole number from \(ClassPlan.allowedGroupSizes.lowerBound) to "
            + "\(ClassPlan.allowedGroupSizes.upperBound), or such as 3 fixed for groups that are "
            + "drawn once",
        set: { text, plan in
            let words = text.words
            guard
                let size = words.first.flatMap({ Int64(digits: $0) }).flatMap({ Int(exactly: $0) }),
                ClassPlan.allowedGroupSizes.contains(size),
                words.count == 1 || words[1...] == ["fixed"]
            else { return false }
            (plan.groupSize, plan.matchesAnew) = (size, words.count == 1)
            return true
        }, text: { "\($0.groupSize)" + ($0.matchesAnew ? "" : " fixed") })

    private static let common = ClassSetting(
        "common", "a range and the most by which an estimate is wrong, such as 50..150 noise 20",
        set: { text, plan in
            let words = text.words.map { String($0) }
            var options = RoomOptions()
            guard words.count == 3, words[1] == "noise", Option.common.set(words[0], &options),
                Option.noise.set(words[2], &options), let values = options.values
            else { return false }
            plan.values = values
            return true
        },
        text: { plan in
            guard let range = Option.common.text(plan.options),
                let noise = Option.noise.text(plan.options)
            else { return nil }
            return "\(range) noise \(noise)"
        })

    private static let show = ClassSetting(
        "show",
        "nothing, or some of these with commas between them: "
            + ClassPlan.Shown.allCases.map(\.rawValue).joined(separator: ", "),
        set: { text, plan in
            guard text != "nothing" else {
                plan.shows = []
                return true
            }
            let parts = text.parts
            plan.shows = Set(
                parts.compactMap { ClassPlan.Shown(rawValue: $0.words.joined(separator: " ")) })
            return plan.shows.count == parts.count
        },
        text: { plan in
            let shown = ClassPlan.Shown.allCases.filter(plan.shows.contains).map(\.rawValue)
            return shown.isEmpty ? "nothing" : shown.joined(separator: ", ")
        })

    private static let pay = ClassSetting(
        "pay", "profit, which is all that students can play for; the line may be left out",
        set: { text, _ in text == "profit" }, text: { _ in nil })

    private static let same = ClassSetting(
        "same", "draws: write same draws, or leave the line out",
        set: { text, plan in
            plan.hasSameDraws = text == "draws"
            return plan.hasSameDraws
        }, text: { $0.hasSameDraws ? "draws" : nil })

    private static let leavers = ClassSetting(
        "leavers", ([playOn] + StrategyKind.allCases.map(\.rawValue)).alternatives,
        set: { text, plan in
            let value = text.words.joined(separator: " ")
            plan.substitute = StrategyKind(rawValue: value)
            return plan.substitute != nil || value == playOn
        }, text: { $0.substitute?.rawValue })

    private static let playOn = "play on"

    private static let rounds = ClassSetting(
        "rounds",
        read: { (text, plan) throws(OptionProblem) in
            plan.parts = try parts(of: text)
        },
        text: { plan in
            let following = plan.parts.dropFirst().map(\.format) + [nil]
            return zip(plan.parts, following).map { part, following in
                let kind = part.isPractice ? " \(practice)" : ""
                let isDefault = part.isPractice && part.format == following
                return "\(part.count)" + kind + (isDefault ? "" : " \(part.format.rawValue)")
            }.joined(separator: ", ")
        })

    private static let practice = "practice"

    /// Parses the parts from the last one on, because practice has the format of the part after it.
    private static func parts(of text: Substring) throws(OptionProblem) -> [ClassPlan.Part] {
        var parts: [ClassPlan.Part] = []
        for part in text.parts.reversed() {
            let words = part.words
            guard !words.isEmpty else {
                throw OptionProblem(
                    "rounds must be numbers and kinds, such as \(ClassPlan.exampleOfRounds): one of "
                        + "them is empty")
            }
            let isPractice = words.count > 1 && words[1] == practice
            let following = isPractice ? parts.last?.format ?? .english : nil
            let rest = words.dropFirst(isPractice ? 2 : 1)
            let own = rest.first.map { AuctionFormat(rawValue: String($0)) }
            guard rest.count <= 1, let format = own ?? following,
                let count = words.first.flatMap({ Int64(digits: $0) }), count > 0
            else {
                let kinds = ([practice] + AuctionFormat.allCases.map(\.rawValue)).alternatives
                throw OptionProblem(
                    "rounds must be numbers and kinds, such as \(ClassPlan.exampleOfRounds): "
                        + "\(part.trimmed.shown) is none, a kind is \(kinds)")
            }
            guard !isPractice || !parts.isEmpty else {
                throw OptionProblem("rounds must end with rounds that are no practice")
            }
            guard count <= Int64(ClassPlan.mostRounds - parts.reduce(0) { $0 + $1.count }) else {
                throw OptionProblem("rounds must be at most \(ClassPlan.mostRounds) in all")
            }
            parts.append(ClassPlan.Part(Int(count), format, isPractice: isPractice))
        }
        return parts.reversed()
    }
}

extension ClassPlan {
    /// The settings that are also options of rooms.
    fileprivate var options: RoomOptions {
        get {
            var options = RoomOptions(lot: lot)
            (options.pause, options.values) = (pause, values)
            return options
        }
        set {
            lot = newValue.lot
            pause = newValue.pause ?? pause
            // While a range of private values replaces a common value, both are there.
            values = newValue.worth.map { .personal($0) } ?? newValue.values ?? values
        }
    }
}

extension Substring {
    /// The line up to `#`.
    var withoutComment: Substring { Substring(utf8.prefix { $0 != UInt8(ascii: "#") }) }

    /// The parts between commas.
    fileprivate var parts: [Substring] {
        utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { Substring($0) }
    }
}
