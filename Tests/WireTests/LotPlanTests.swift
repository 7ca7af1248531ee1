import Auction
import Testing
import Wire

@Suite struct LotPlanTests {
    /// An option with its value, by its name in a line.
    enum Given {
        case format(AuctionFormat)
        case seconds(Int)
        case start(Int64)
        case step(Int64)
        case reserve(Int64)
        case buy(Int64)
        case longest(Int)
    }

    static func plan(_ title: String, _ given: [Given] = []) -> LotPlan {
        var options = LotOptions()
        for option in given {
            switch option {
            case .format(let format): options.format = format
            case .seconds(let seconds): options.seconds = seconds
            case .start(let amount): options.start = price(amount)
            case .step(let amount): options.step = price(amount)
            case .reserve(let amount): options.reserve = price(amount)
            case .buy(let amount): options.buy = price(amount)
            case .longest(let seconds): options.longest = .seconds(seconds)
            }
        }
        return LotPlan(title: title, options: options)
    }

    static let lines: [(line: String, plan: LotPlan)] = [
        ("Vase", plan("Vase")),
        ("Blue vase", plan("Blue vase")),
        ("Vase reserve=80", plan("Vase", [.reserve(80)])),
        (
            "Blue vase format=dutch seconds=20 start=900 step=5 reserve=80 buy=500 longest=60",
            plan(
                "Blue vase",
                [
                    .format(.dutch), .seconds(20), .start(900), .step(5), .reserve(80), .buy(500),
                    .longest(60),
                ])
        ),
        ("a=b Vase", plan("a=b Vase")),
        ("E=mc2 --", plan("E=mc2")),
        ("Vase a=b -- reserve=80", plan("Vase a=b", [.reserve(80)])),
        ("Vase -- --", plan("Vase --")),
        ("a -- b", plan("a -- b")),
        ("E = mc2 format=sealed", plan("E = mc2", [.format(.sealed)])),
        (
            "Vase seconds=3600 buy=1000000000000",
            plan("Vase", [.seconds(3600), .buy(1_000_000_000_000)])
        ),
    ]

    @Test("a line is a title, and then its options", arguments: lines)
    func parsed(line: String, plan: LotPlan) throws {
        #expect(try LotPlan(line: line) == plan)
        #expect(plan.line == line)
    }

    @Test(
        "blanks around words and the order of the options do not matter",
        arguments: [
            "  Blue vase  format=vickrey\treserve=80 ", "Blue vase reserve=80 format=vickrey",
            "\tBlue vase format=vickrey   reserve=0080",
        ])
    func lenient(line: String) throws {
        let plan = Self.plan("Blue vase", [.format(.vickrey), .reserve(80)])
        #expect(try LotPlan(line: line) == plan)
        #expect(plan.line == "Blue vase format=vickrey reserve=80")
    }

    static let amount = "must be a whole number from 1 to 1000000000000"
    static let title =
        "a lot has a title of 1 to 200 bytes, without tabs or other control characters, and then its "
        + "options"
    static let options =
        "use format, seconds, start, step, reserve, buy or longest, or write -- after "
        + "a title that ends so"
    static let faults: [(line: String, sentence: String)] = [
        ("", title),
        ("reserve=80", title),
        ("a\tb", title),
        ("a\u{1B}b", title),
        (
            String(repeating: "t", count: 201) + " reserve=80",
            title
        ),
        ("Vase reserve=0", "reserve \(amount)"),
        ("Vase reserve=", "reserve \(amount)"),
        ("Vase reserve=8=0", "reserve \(amount)"),
        ("Vase buy=-5", "buy \(amount)"),
        ("Vase start=1.5", "start \(amount)"),
        ("Vase step=1000000000001", "step \(amount)"),
        ("Vase seconds=0", "seconds must be a whole number from 1 to 3600"),
        ("Vase seconds=3601", "seconds must be a whole number from 1 to 3600"),
        ("Vase seconds=99999999999999999999", "seconds must be a whole number from 1 to 3600"),
        ("Vase longest=86401", "longest must be a whole number from 1 to 86400"),
        ("Vase format=English", "format must be english, dutch, sealed, vickrey or allpay"),
        (
            "Vase color=red",
            "color is no option: \(options)"
        ),
        (
            "E=mc2",
            "E is no option: \(options)"
        ),
        ("Vase =80", "an option has a name before its value, such as reserve=80"),
        ("--", title),
        ("Vase buy=5 buy=5", "buy is given twice"),
    ]

    @Test("a wrong line says which option is wrong, and what is allowed", arguments: faults)
    func fault(line: String, sentence: String) {
        do throws(OptionProblem) {
            Issue.record("parsed as \(try LotPlan(line: line))")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test("the name of an unknown option is short and printable in the error")
    func hostileName() {
        do throws(OptionProblem) {
            _ = try LotPlan(line: "Vase \u{1B}[2J" + String(repeating: "x", count: 900) + "=1")
            Issue.record("parsed")
        } catch {
            let error = ServerMessage.error(.badOption(error.description), tag: nil)
            #expect(error.text.utf8.count < 160)
            #expect(ServerMessage(text: error.text) == error)
        }
    }
}
