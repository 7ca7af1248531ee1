import Auction
import Testing
import Wire

@Suite struct RosterTests {
    /// Files, and the names in them as `name` or `name=display name`.
    static let files: [(text: String, students: [String])] = [
        ("alice", ["alice"]),
        ("alice\nBob\n\n  \t\n", ["alice", "Bob"]),
        ("# 3b\nalice # late\n\tbob#left\r\n#carol", ["alice", "bob"]),
        ("\u{FEFF}alice\r\nbob", ["alice", "bob"]),
        ("zoe  Zoë \t Müller  # two\nbob", ["zoe=Zoë Müller", "bob"]),
        ("alice alice\nbob Bob", ["alice", "bob=Bob"]),
        (
            "a-1 D'Arcy Jr.\n\(String(repeating: "b", count: 24))",
            ["a-1=D'Arcy Jr.", String(repeating: "b", count: 24)]
        ),
    ]

    @Test(
        "each line is a name and maybe a display name, with blanks and comments", arguments: files)
    func parsed(text: String, students: [String]) throws {
        let found = try Roster(text: text).students.map { student in
            "\(student.bidder)" + (student.display.map { "=\($0)" } ?? "")
        }
        #expect(found == students)
    }

    static let problems: [(text: String, line: Int?, reason: String)] = [
        ("", nil, "has no names: write one on each line, such as alice"),
        ("# alice\n\n", nil, "has no names: write one on each line, such as alice"),
        (
            "alice\nZoë", 2,
            "Zoë is no name: a name has 1 to 24 letters from a to z or A to Z, digits, _ or -, and a display name may follow it, such as zoe Zoë Müller"
        ),
        ("a.b", 1, "a.b is no name: "),
        (String(repeating: "b", count: 25), 1, "\(String(repeating: "b", count: 24)) is no name: "),
        ("\u{1B}[2J", 1, "\\u{1B}[2J is no name: "),
        (
            "zoe Zoë!", 1,
            "Zoë! is no display name: it has 1 to 24 letters, digits, spaces, -, _, ' or ."
        ),
        (
            "zoe \(String(repeating: "z", count: 25))", 1,
            "\(String(repeating: "z", count: 24)) is no "
        ),
        (
            "alice\n\nbob\nALICE", 4,
            "alice is there twice, first in line 1: choose another name for one of them"
        ),
        ("zoe Zoë M\nbob zoë m", 2, "zoë m is there twice, first in line 1"),
        ("zoe Bob\nbob", 2, "bob is there twice, first in line 1"),
        ("bob\nzoe Bob", 2, "bob is there twice, first in line 1"),
    ]

    @Test("the first wrong line is an error with its number", arguments: problems)
    func wrong(text: String, line: Int?, reason: String) {
        do {
            _ = try Roster(text: text)
            Issue.record("\(text.debugDescription) is no error")
        } catch {
            #expect(error.line == line)
            #expect(error.reason.hasPrefix(reason), "\(error.reason)")
        }
    }

    @Test("there are at most as many names as a room has")
    func most() throws {
        let room = try #require(RoomName("class"))
        #expect(Roster.most == Sale.mostKept(in: room))
        let lines = (1...Roster.most).map { "s\($0)\n" }.joined()
        #expect(try Roster(text: lines).students.count == Roster.most)
        #expect(throws: ClassFileError.self) { try Roster(text: lines + "one-more") }
    }
}
