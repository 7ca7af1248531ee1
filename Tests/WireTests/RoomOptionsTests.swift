import Auction
import Testing
import Wire

@Suite struct RoomOptionsTests {
    static func options(_ change: (inout RoomOptions) -> Void) -> RoomOptions {
        var options = RoomOptions()
        change(&options)
        return options
    }

    static let resolved = options {
        $0.lot.format = .english
        ($0.lot.seconds, $0.lot.start, $0.lot.step) = (10, price(1), price(5))
        ($0.lots, $0.pause) = (5, .seconds(3))
        ($0.purse, $0.values) = (price(1000), .personal(50...150))
    }

    static let lines: [(line: String, options: RoomOptions)] = [
        ("", RoomOptions()),
        (
            "format=english seconds=10 start=1 step=5 lots=5 pause=3 purse=1000 worth=50..150",
            resolved
        ),
        (
            "format=vickrey reserve=80 buy=500 longest=60",
            options {
                $0.lot.format = .vickrey
                ($0.lot.reserve, $0.lot.buy) = (price(80), price(500))
                $0.lot.longest = .seconds(60)
            }
        ),
        (
            "lots=1000 pause=0.25 common=0..1000000000000 noise=0",
            options {
                ($0.lots, $0.pause) = (1000, .milliseconds(250))
                $0.values = .common(0...1_000_000_000_000, noise: 0)
            }
        ),
        (
            "purse=9 worth=1..5 leftover=counts",
            options { ($0.purse, $0.worth, $0.countsLeftover) = (price(9), 1...5, true) }
        ),
        ("pause=3600", options { $0.pause = .seconds(3600) }),
    ]

    @Test("options are words, each with a name and a value", arguments: lines)
    func parsed(line: String, options: RoomOptions) throws {
        #expect(try RoomOptions(line: line) == options)
        #expect(options.line == line)
    }

    @Test(
        "blanks around words and the order of the options do not matter",
        arguments: ["  lots=5\tseconds=10 ", "seconds=10   lots=0005", "lots=5 seconds=10"])
    func lenient(line: String) throws {
        let options = try RoomOptions(line: line)
        #expect(options.line == "seconds=10 lots=5")
    }

    static let range =
        "must be two whole numbers from 0 to 1000000000000, the lower first, "
        + "such as 50..150"
    static let faults: [(line: String, sentence: String)] = [
        ("lots=0", "lots must be a whole number from 1 to 1000"),
        ("lots=1001", "lots must be a whole number from 1 to 1000"),
        ("lots=-1", "lots must be a whole number from 1 to 1000"),
        ("lots=", "lots must be a whole number from 1 to 1000"),
        ("lots=99999999999999999999", "lots must be a whole number from 1 to 1000"),
        ("pause=3600.1", "pause must be a number of seconds from 0 to 3600"),
        ("pause=-1", "pause must be a number of seconds from 0 to 3600"),
        ("pause=1e3", "pause must be a number of seconds from 0 to 3600"),
        ("purse=0", "purse must be a whole number from 1 to 1000000000000, or auto"),
        (
            "leftover=counts worth=1..5",
            "leftover=counts needs purse=N, and values such as worth=A..B"
        ),
        ("leftover=yes", "leftover must be counts or no"),
        ("seconds=0", "seconds must be a whole number from 1 to 3600"),
        ("format=English", "format must be english, dutch, sealed, vickrey or allpay"),
        ("buy=1.5", "buy must be a whole number from 1 to 1000000000000"),
        ("worth=150..50", "worth \(range)"),
        ("worth=50", "worth \(range)"),
        ("common=1..x noise=5", "common \(range)"),
        ("common=1..5 noise=-1", "noise must be a whole number from 0 to 1000000000000"),
        ("common=1..5", "common needs noise=N, the most by which an estimate may be wrong"),
        ("noise=5", "noise needs common=A..B"),
        ("worth=1..5 noise=5", "noise needs common=A..B"),
        ("worth=1..5 common=1..5 noise=1", "worth and common exclude each other: give one"),
        ("lots=5 lots=5", "lots is given twice"),
        ("seconds", "seconds has no value: an option is a word such as lots=5"),
        ("lots=5 room", "room has no value: an option is a word such as lots=5"),
        ("=5", "an option has a name before its value, such as lots=5"),
        (
            "Lots=5",
            "Lots is no option: use format, seconds, start, step, reserve, buy, longest, lots, "
                + "pause, purse, worth, common, noise, profits, wait, named or leftover"
        ),
    ]

    @Test("wrong options say which is wrong, and what is allowed", arguments: faults)
    func fault(line: String, sentence: String) {
        do throws(OptionProblem) {
            Issue.record("parsed as \(try RoomOptions(line: line))")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test(
        "a word that is no option is short and printable in the error",
        arguments: ["\u{1B}[2J", "\u{1B}[2J=1", "\u{202E}=", "é", "", "="])
    func hostileName(word: String) {
        do throws(OptionProblem) {
            _ = try RoomOptions(line: "lots=5 \(word)" + String(repeating: "x", count: 900))
            Issue.record("parsed")
        } catch {
            let error = ServerMessage.error(.badOption(error.description), tag: nil)
            #expect(error.text.utf8.count < 240)
            #expect(ServerMessage(text: error.text) == error)
        }
    }

    @Test(
        "changes set options, take some back with none, and leave the others",
        arguments: [
            ("lots=7", "seconds=5 lots=7 worth=1..9 profits=yes"),
            ("worth=none profits=no", "seconds=5"),
            ("worth=none common=2..4 noise=1", "seconds=5 common=2..4 noise=1 profits=yes"),
            ("seconds=none format=none", "worth=1..9 profits=yes"),
        ])
    func changes(words: String, line: String) throws {
        let options = try RoomOptions(line: "seconds=5 worth=1..9 profits=yes")
        let changes = try OptionChanges(line: words)
        #expect(try changes.applied(to: options).line == line)
        #expect(try Request(line: "set \(words)") == Request(.rule(.set(changes))))
        #expect(Request(.rule(.set(changes))).description == "set \(words)")
    }
}
