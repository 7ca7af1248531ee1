import Auction
import TestSupport
import Testing
import Wire

@Suite struct ClassFileTests {
    static func plan(_ change: (inout ClassPlan) -> Void) -> ClassPlan {
        var plan = ClassPlan()
        plan.parts = [.init(4, .sealed)]
        change(&plan)
        return plan
    }

    /// The lines of a file beside `rounds 4 sealed`, and its plan.
    static let files: [(text: String, plan: ClassPlan)] = [
        ("", plan { _ in }),
        ("\n  \t\n# nothing\n   # nothing\n", plan { _ in }),
        ("title First price\t \n", plan { $0.title = "First price" }),
        ("title  Prix  d'été # one", plan { $0.title = "Prix  d'été" }),
        ("groups 2", plan { $0.groupSize = 2 }),
        ("groups 100 fixed", plan { ($0.groupSize, $0.matchesAnew) = (100, false) }),
        ("rest smaller", plan { $0.rest = .smaller }),
        ("values 0..9", plan { $0.values = .personal(0...9) }),
        ("common 50..150  noise\t20", plan { $0.values = .common(50...150, noise: 20) }),
        (
            "common 50..150 noise 0\nseconds 9",
            plan { ($0.values, $0.lot.seconds) = (.common(50...150, noise: 0), 9) }
        ),
        ("seconds 3600", plan { $0.lot.seconds = 3600 }),
        (
            "start 50\nstep 5\nreserve 80\r\npause 0.5",
            plan {
                ($0.lot.start, $0.lot.step, $0.lot.reserve) = (price(50), price(5), price(80))
                $0.pause = .milliseconds(500)
            }
        ),
        ("show nothing", plan { $0.shows = [] }),
        (
            "show values,standings  after each round",
            plan { $0.shows = [.values, .standings] }
        ),
        ("same draws", plan { $0.hasSameDraws = true }),
        ("leavers equilibrium", plan { $0.substitute = .equilibrium }),
        ("longest 60", plan { $0.lot.longest = .seconds(60) }),
        ("leavers truthful", plan { $0.substitute = .truthful }),
        ("leavers play\ton# yes", plan { _ in }),
        ("\tseconds\t5 # five", plan { $0.lot.seconds = 5 }),
    ]

    @Test("each setting has a line, in any order, with blanks and comments", arguments: files)
    func parsed(text: String, plan: ClassPlan) throws {
        #expect(try ClassPlan(text: "\(text)\nrounds 4 sealed") == plan)
        #expect(try ClassPlan(text: "\u{FEFF}rounds 4 sealed\r\n\(text)") == plan)
        #expect(try ClassPlan(text: plan.text) == plan)
    }

    static let rounds: [(text: String, parts: [ClassPlan.Part])] = [
        ("1 english", [.init(1, .english)]),
        ("60 allpay, 40 dutch", [.init(60, .allpay), .init(40, .dutch)]),
        (
            "2 practice, 4 sealed,2 practice,3   vickrey",
            [
                .init(2, .sealed, isPractice: true), .init(4, .sealed),
                .init(2, .vickrey, isPractice: true), .init(3, .vickrey),
            ]
        ),
        (
            "1 practice english, 4 sealed, 4 sealed",
            [.init(1, .english, isPractice: true), .init(4, .sealed), .init(4, .sealed)]
        ),
        (
            "1 practice, 1 practice dutch, 1 practice, 4 sealed",
            [
                .init(1, .dutch, isPractice: true), .init(1, .dutch, isPractice: true),
                .init(1, .sealed, isPractice: true), .init(4, .sealed),
            ]
        ),
    ]

    @Test("rounds are parts; practice is for the part after it, in its format", arguments: rounds)
    func parts(text: String, parts: [ClassPlan.Part]) throws {
        let plan = try ClassPlan(text: "rounds \(text)")
        #expect(plan.parts == parts)
        #expect(try ClassPlan(text: plan.text) == plan)
    }

    private static let kinds = "practice, english, dutch, sealed, vickrey or allpay"
    private static func wrongPart(_ part: String) -> String {
        "rounds must be numbers and kinds, such as rounds 2 practice, 4 sealed, 4 vickrey: \(part) is "
            + "none, a kind is \(kinds)"
    }
    private static let emptyPart =
        "rounds must be numbers and kinds, such as rounds 2 practice, 4 sealed, 4 vickrey: one of them "
        + "is empty"
    private static let noRounds =
        "has no rounds: write a line such as rounds 2 practice, 4 sealed, 4 vickrey"
    private static let amount = "must be a whole number from 1 to 1000000000000"
    private static let range =
        "must be two whole numbers from 0 to 1000000000000, the lower first, such as 50..150"
    private static let common =
        "common must be a range and the most by which an estimate is wrong, such as 50..150 noise 20"
    private static let groups =
        "groups must be a whole number from 2 to 100, or such as 3 fixed for groups that are drawn once"
    private static let show =
        "show must be nothing, or some of these with commas between them: instructions, standings "
        + "after each round, values"
    private static let title =
        "title must be 1 to 200 bytes of text without control characters"
    private static let settings =
        "is no setting: use title, groups, rest, values, common, rounds, seconds, longest, start, "
        + "step, reserve, pause, show, pay, same or leavers"

    static let faults: [(text: String, line: Int?, reason: String)] = [
        ("", nil, noRounds),
        ("# a\nseconds 5\n", nil, noRounds),
        ("\ncolour red", 2, "colour \(settings)"),
        ("Seconds 5", 1, "Seconds \(settings)"),
        ("seconds=5", 1, "seconds=5 \(settings)"),
        (
            "\u{1B}[2J" + String(repeating: "x", count: 99), 1,
            "\\u{1B}[2Jxxxxxxxxxxxxxxxxxxxx \(settings)"
        ),
        ("seconds 5\n# c\nseconds 5", 3, "seconds is given twice, first in line 1"),
        ("title", 1, title), ("title a\tb", 1, title),
        ("title " + String(repeating: "t", count: 201), 1, title),
        ("groups", 1, groups), ("groups 1", 1, groups), ("groups 101", 1, groups),
        ("groups 3 often", 1, groups), ("groups 3 fixed fixed", 1, groups),
        ("groups 99999999999999999999", 1, groups),
        ("rest none", 1, "rest must be larger or smaller"),
        ("values 5", 1, "values \(range)"), ("values 9..5", 1, "values \(range)"),
        ("common 5..9", 1, common), ("common 5..9 noise", 1, common),
        ("common 5..9 20", 1, common), ("common 9..5 noise 1", 1, common),
        ("common 5..9 noise -1", 1, common),
        (
            "values 5..9\n\ncommon 5..9 noise 1", 3,
            "values and common exclude each other: remove line 1 or 3"
        ),
        (
            "common 5..9 noise 1\nvalues 5..9", 2,
            "values and common exclude each other: remove line 1 or 2"
        ),
        ("rounds", 1, emptyPart), ("rounds 4", 1, wrongPart("4")),
        ("rounds sealed", 1, wrongPart("sealed")), ("rounds 4 seeled", 1, wrongPart("4 seeled")),
        ("rounds 0 sealed", 1, wrongPart("0 sealed")), ("rounds 4 sealed,", 1, emptyPart),
        ("rounds 4 sealed vickrey", 1, wrongPart("4 sealed vickrey")),
        ("rounds 2 practice other, 4 sealed", 1, wrongPart("2 practice other")),
        ("rounds 2 practice", 1, "rounds must end with rounds that are no practice"),
        (
            "rounds 4 sealed, 2 practice vickrey", 1,
            "rounds must end with rounds that are no practice"
        ),
        ("rounds 1 practice, 100 sealed", 1, "rounds must be at most 100 in all"),
        ("rounds 9223372036854775807 sealed", 1, "rounds must be at most 100 in all"),
        ("seconds 0", 1, "seconds must be a whole number from 1 to 3600"),
        ("start x", 1, "start \(amount)"), ("step 0", 1, "step \(amount)"),
        ("reserve 1000000000001", 1, "reserve \(amount)"),
        ("pause 3601", 1, "pause must be a number of seconds from 0 to 3600"),
        ("show", 1, show), ("show standings", 1, show), ("show values, values", 1, show),
        ("show values, nothing", 1, show),
        (
            "pay money", 1,
            "pay must be profit, which is all that students can play for; the line may be left out"
        ),
        ("same values", 1, "same must be draws: write same draws, or leave the line out"),
        (
            "leavers go", 1,
            "leavers must be play on, truthful, sniper, jumper, shader, random, zip, proxy or equilibrium"
        ),
        (
            "start 50\nreserve 40\nrounds 1 sealed", 2,
            "in sealed rounds the reserve is below the start: use a reserve of at least 50"
        ),
        (
            "rounds 1 dutch\nreserve 150", 2,
            "in dutch rounds the price falls from the highest value, 150: use a lower reserve, or higher "
                + "values"
        ),
        (
            "rounds 1 dutch\nvalues 0..1", 2,
            "in dutch rounds the price falls from the highest value, 1: use higher values"
        ),
        (
            "rounds 1 dutch, 1 sealed\nstart 200", 2,
            "start would be the first asking price of dutch rounds, and the least bid of the others: "
                + "leave start out"
        ),
    ]

    @Test("an error has the number of its line, and says what is allowed", arguments: faults)
    func fault(text: String, line: Int?, reason: String) {
        do throws(ClassFileError) {
            Issue.record("parsed as \(try ClassPlan(text: text))")
        } catch {
            #expect(error.line == line && error.reason == reason)
            #expect(error.description == (line.map { "line \($0): " } ?? "the file ") + reason)
        }
    }

    @Test("only what differs from the defaults is printed")
    func printed() {
        #expect(Self.plan { _ in }.text == "rounds 4 sealed\n")
        let plan = Self.plan {
            ($0.values, $0.shows, $0.groupSize) = (
                .common(5...9, noise: 1), [.values, .instructions], 4
            )
            ($0.title, $0.lot.seconds) = ("One", 5)
        }
        #expect(
            plan.text == """
                title One
                groups 4
                common 5..9 noise 1
                rounds 4 sealed
                seconds 5
                show instructions, values

                """)
    }

    @Test("the examples are plans, and are printed as files of the same plan")
    func examples() throws {
        for example in ClassExample.allCases {
            let plan = try ClassPlan(text: example.text)
            #expect(try ClassPlan(text: plan.text) == plan)
            #expect(example.text.hasPrefix("# \(example.summary)\n"))
        }
        #expect(ClassExample.list.allSatisfy { $0.count <= 80 && $0.contains("  ") })
        let plan = try ClassPlan(text: ClassExample.revenueEquivalence.text)
        #expect(plan.hasSameDraws && !plan.matchesAnew)
        #expect(
            plan.parts.filter { !$0.isPractice }.map(\.format) == [
                .sealed, .vickrey, .english, .dutch,
            ])
    }

    @Test("a changed file is refused, or is a plan that is printed as a file", arguments: 0..<4)
    func mutations(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = ClassExample.allCases.map { Array($0.text.utf8) }
        let bytes = Array(" \n#,.-0123456789abcdefghilmnoprstuvwxy".utf8)
        for _ in 0..<500 {
            var text = texts.randomElement(using: &random) ?? []
            for _ in 0...Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                text[place] = bytes.randomElement(using: &random) ?? 0
            }
            guard let plan = try? ClassPlan(text: String(decoding: text, as: UTF8.self)) else {
                continue
            }
            #expect(try ClassPlan(text: plan.text) == plan)
            for round in plan.rounds {
                #expect(throws: Never.self) {
                    try plan.lotPlan(for: round).options.rules(Rules(seconds: 7))
                }
            }
        }
    }
}
