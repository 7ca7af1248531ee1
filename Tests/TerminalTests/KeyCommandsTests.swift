import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

@Suite struct KeyCommandsTests {
    @Test("? shows and hides the help, Escape hides it, and other keys work beside it")
    func help() {
        let stage = Stage.open()
        stage.type("?")
        #expect(stage.model.prompt.helpPage == 0)
        stage.enter("7")
        #expect(stage.model.prompt.helpPage == 0)
        #expect(stage.commands.last == "bid 7")
        stage.type("??")
        #expect(stage.model.prompt.helpPage == nil)
        stage.enter("help")
        #expect(stage.model.prompt.helpPage == 0)
        stage.press(.escape)
        #expect(stage.model.prompt.helpPage == nil)
    }

    @Test("on a small screen ? turns the pages of the help")
    func helpPages() {
        let stage = Stage.open(columns: 40, rows: 12)
        var pages: [Int?] = []
        for _ in 0..<11 {
            stage.type("?")
            pages.append(stage.model.prompt.helpPage)
        }
        #expect(pages == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, nil])
    }

    @Test("? has other meanings while help is shown, up to its last page")
    func helpHint() {
        let stage = Stage.open()
        func hint() -> String? {
            stage.screen.last?.firstMatch(of: /\? (\w+)/).map { String($0.output.1) }
        }
        var hints = [hint()]
        for _ in 0..<3 {
            stage.type("?")
            hints.append(hint())
        }
        #expect(hints == ["help", "more", "back", "help"])
    }

    @Test("leaving says which offer stays")
    func leaving() {
        func complaints(_ prepare: (Stage) -> Void) -> [String] {
            let stage = Stage.open()
            prepare(stage)
            stage.press(.control("c"))
            #expect(stage.effects.last == .exit(.done))
            return complained(stage.effects)
        }
        #expect(complaints { $0.bid(9, by: "bob", at: .zero) } == [])
        #expect(
            complaints { $0.bid(115, by: "alice", at: .zero) }
                == ["your bid of 115 stays and may win"])
        #expect(
            complaints {
                $0.enter("max 200")
                $0.bid(115, by: "alice", at: .zero)
            } == ["your bid of 115 stays and may win, and the server bids for you up to 200"])
        #expect(
            complaints {
                $0.bid(115, by: "alice", at: .zero)
                $0.sell(to: "alice", for: 115, at: .seconds(7))
            } == [])
        let stage = Stage.open(.sealed)
        stage.enter("120")
        stage.enter("quit")
        #expect(complained(stage.effects) == ["your sealed bid of 120 stays and may win"])
    }

    @Test("page keys scroll the laps, and Home and End do if no line is typed")
    func scrolling() {
        let stage = Stage.open()
        for number in 1...60 { stage.bid(Int64(number), by: "bob", at: .seconds(number)) }
        func newer() -> Int { stage.model.laps.newerCount }
        stage.press(.pageDown)
        #expect(newer() == 8)
        stage.type("12")
        stage.press(.home, .pageDown)
        #expect(newer() == 16)
        #expect(stage.model.prompt.input.cursor == 0)
        stage.press(.pageUp, .control("k"), .end)
        #expect(newer() == 51)
        stage.press(.home)
        #expect(!stage.model.laps.isScrolled)
    }

    @Test("an observer scrolls by one lap with the arrows, and connects again with Enter")
    func spectatorKeys() {
        let stage = Stage.open(of: nil)
        for number in 1...60 { stage.bid(Int64(number), by: "bob", at: .seconds(number)) }
        stage.press(.down, .down, .up)
        #expect(stage.model.laps.newerCount == 1)
        stage.lose()
        stage.press(.enter)
        #expect(stage.effects.last == .connect)
    }

    @Test("a question mark within a line is text")
    func questionMark() {
        let stage = Stage.open()
        stage.type("a?")
        #expect(stage.model.prompt.helpPage == nil)
        #expect(stage.line == "a?")
    }

    @Test(
        "a user leaves with Ctrl-C, Ctrl-D and quit",
        arguments: [[Key.control("c")], [.control("d")], "quit".map(Key.character) + [.enter]])
    func leaving(keys: [Key]) {
        let stage = Stage.open()
        for key in keys { stage.press(key) }
        #expect(stage.effects.last == .exit(.done))
    }

    @Test(
        "an observer leaves with Ctrl-C, Ctrl-D and q", arguments: ["c", "d", "q"] as [Character])
    func leavingTheWatch(letter: Character) {
        let stage = Stage.open(of: nil)
        stage.press(letter == "q" ? .character(letter) : .control(letter))
        #expect(stage.effects.last == .exit(.done))
    }

    @Test("leaving before the connection is made exits with the code for a lost server")
    func leavingEarly() {
        let stage = Stage()
        stage.press(.control("c"))
        #expect(
            stage.effects.suffix(2) == [
                .complain("not connected to 127.0.0.1 port 7777"), .exit(.lost),
            ])
    }

    @Test("leaving while the server is lost exits with the code for that")
    func leavingWhileLost() {
        let stage = Stage.open()
        stage.lose()
        stage.press(.control("c"))
        #expect(
            stage.effects.suffix(2) == [
                .complain("the server closed the connection"), .exit(.lost),
            ])
    }

    @Test("Ctrl-C leaves from the help too, and Ctrl-D within a line does not leave")
    func leavingOrNot() {
        let stage = Stage.open()
        stage.type("12")
        stage.press(.control("d"))
        #expect(stage.effects.last != .exit(.done))
        stage.press(.control("u"))
        stage.type("?")
        stage.press(.control("c"))
        #expect(stage.effects.last == .exit(.done))
    }

    @Test("after the exit there are no more effects")
    func left() {
        let stage = Stage.open()
        stage.press(.control("c"))
        let effects = stage.effects.count
        stage.lose()
        stage.pass(.seconds(60))
        stage.press(.control("c"), .control("l"))
        #expect(stage.effects.count == effects)
    }

    @Test("an observer cannot type")
    func watching() {
        let stage = Stage.open(of: nil)
        stage.enter("120")
        #expect(stage.line.isEmpty)
        #expect(stage.commands.last == "results")
        stage.type("?")
        #expect(stage.model.prompt.helpPage == 0)
    }

    @Test("Ctrl-L redraws, and Ctrl-Z suspends")
    func screenAndJobs() {
        let stage = Stage.open()
        stage.press(.control("l"), .control("z"))
        #expect(stage.effects.suffix(2) == [.redraw, .suspend])
    }
}
