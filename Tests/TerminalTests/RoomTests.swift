import Auction
import Bidder
import BidderSupport
import Terminal
import Testing
import Wire

/// A live view in a room, and on its way from one room to another.
@Suite struct RoomTests {
    @Test("a view joins its room before it takes the name, and shows nothing of the main room")
    func joins() {
        let stage = Stage.inRoom()
        stage.isHeld = { if case .join = $0 { true } else { false } }
        stage.connect()
        #expect(stage.commands == ["format json", "join blue"])
        stage.send(lotOpened(9, "Clock"))
        stage.send(joined("zoe"))
        #expect(!stage.model.isConnected)
        #expect(stage.model.sale.lot == nil)
        #expect(stage.model.log.entries.isEmpty)
        stage.release()
        #expect(
            stage.commands == [
                "format json", "join blue", "status", "name alice", "laps", "who", "results",
            ])
        #expect(stage.model.isConnected)
        #expect(stage.model.sale.lot?.title == "Vase")
        #expect(stage.model.room == blue)
    }

    @Test("after a reconnect a view joins its room again, and receives the news that it missed")
    func comesBack() {
        let stage = Stage.inRoom()
        stage.keepsNews = true
        stage.connect()
        stage.bid(5, by: "bob", at: .zero)
        stage.lose()
        stage.miss(.event(.bidPlaced(lap(2, 9, "zoe"))), joined("zoe"))
        stage.bids.append(lap(2, 9, "zoe"))
        stage.pass(.seconds(1))
        stage.connect()
        #expect(
            stage.commands.suffix(4) == [
                "format json", "join blue", "resume 2", "name alice t0ken",
            ])
        #expect(stage.model.laps.newest.map(\.price) == [price(5), price(9)])
        #expect(
            stage.model.log.entries.map(\.text) == ["zoe has joined", "connected again"])
    }

    @Test(
        "if the room was opened again meanwhile, the view says so, and shows nothing of the old one"
    )
    func openedAnew() {
        let stage = Stage.inRoom()
        stage.keepsNews = true
        stage.connect()
        for amount in 5...9 { stage.bid(Int64(amount), by: "bob", at: .zero) }
        stage.send(.event(.messageSaid(bidder("bob"), text: "hello")))
        stage.lose()
        stage.sale = Identity("q9d4tz")
        stage.bids = [lap(1, 70, "zoe"), lap(2, 80, "zoe")]
        stage.bidders = [bidder("zoe")]
        stage.snapshot.append(
            .event(.bidPlaced(stage.bids[1]), .init(remaining: .seconds(5))))
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.model.laps.newest == stage.bids)
        #expect(stage.model.bidders == stage.bidders)
        #expect(
            stage.model.log.entries.map(\.text) == [
                "connected again", "room blue had ended and was opened again",
            ])
        #expect(!stage.commands.contains { $0.hasPrefix("resume") })
        #expect(!stage.screen.contains { $0.contains("bob") })
    }

    @Test("a server that states no identity has not lost its room")
    func withoutIdentity() {
        let stage = Stage()
        stage.connect(serverID: "")
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect(serverID: "")
        #expect(
            stage.model.log.entries.map(\.text) == ["connected again"])
    }

    @Test("if the room has ended meanwhile, the view says so once, and shows main")
    func ended() {
        let stage = Stage.inRoom()
        stage.connect()
        stage.bid(5, by: "bob", at: .zero)
        stage.lose()
        stage.pass(.seconds(1))
        stage.isHeld = { if case .join = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.noRoom)
        let model = stage.model
        let sentence = "room blue has ended; you are in main, rooms lists all"
        #expect(model.room == .main && model.laps.newest.isEmpty && model.sale.lot == nil)
        #expect(model.log.entries.map(\.text) == ["connected again", sentence])
        #expect(model.prompt.feedback == CommandPrompt.Feedback(text: sentence, isRefusal: true))
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.commands.count { $0 == "join blue" } == 2, "the room is not asked for again")
        #expect(stage.effects.allSatisfy { if case .exit = $0 { false } else { true } })
    }

    @Test(
        "a view that never was in its room ends if the server refuses it",
        arguments: [
            (ErrorReply.noRoom, "there is no room blue, auction-client rooms lists all"),
            (
                .init(.unknownCommand, advice: "type help"),
                "cannot join the room blue: unknown command, ? for help"
            ),
        ])
    func refused(error: ErrorReply, complaint: String) {
        let stage = Stage.inRoom()
        stage.isHeld = { if case .join = $0 { true } else { false } }
        stage.connect()
        stage.refuse(error)
        #expect(complained(stage.effects) == [complaint])
        #expect(stage.effects.last == .exit(.refused))
    }

    @Test("if the server answers slow-down, the view joins its room later")
    func slowDown() {
        let stage = Stage.inRoom()
        stage.isHeld = { if case .join = $0 { true } else { false } }
        stage.connect()
        stage.refuse(.tooManyMessages(seconds: 3))
        #expect(stage.effects.suffix(1) == [.disconnect])
        stage.release()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.model.room == blue)
    }

    @Test("after joining another room nothing of the earlier one is shown")
    func leaves() {
        let stage = Stage.leaving()
        stage.enter("join blue")
        let model = stage.model
        #expect(stage.commands.suffix(5) == ["join blue", "status", "laps", "who", "results"])
        #expect(model.room == blue)
        #expect(model.sale.greeting?.room == blue && model.lot.lot == 0)
        #expect(model.laps.newest.isEmpty && model.series.points.isEmpty && model.ownBid == nil)
        #expect(model.bidders == [] && model.standings.isEmpty && model.askedList == nil)
        #expect(model.own == OwnState(bidder("alice")))
        #expect(model.log.entries.isEmpty && model.log.ticker.isEmpty)
        #expect(model.prompt.feedback?.text == "you are in the room blue")
        stage.press(.escape)
        for word in ["Walnut", "bob", "carol", "120", "860"] {
            #expect(!stage.screen.contains { $0.contains(word) }, "\(word) is left")
        }
    }

    @Test("the same lot number in another room is another lot")
    func sameNumber() {
        let stage = Stage.leaving()
        stage.otherRooms[blue]?.snapshot = [
            lotOpened(1, Stage.title, start: 3, elapsed: .seconds(2))
        ]
        stage.enter("join blue")
        #expect(stage.model.laps.newest.isEmpty)
        #expect(stage.model.elapsed == .seconds(2))
        #expect(stage.model.lot.least == price(3))
        let loads = stage.commands.count { $0 == "standings" }
        stage.enter("join main")
        #expect(stage.model.laps.newest.count == 2)
        #expect(stage.model.own?.left == 740)
        stage.pass(.seconds(1))
        #expect(stage.commands.count { $0 == "standings" } == loads + 1)
        #expect(stage.commands.count { $0.hasPrefix("name") } == 1, "the name comes along")
    }

    @Test("a refused join, or one to the room of the view, changes nothing but the answer")
    func stays() {
        let stage = Stage.leaving()
        let laps = stage.model.laps
        stage.enter("join red")
        let feedback = stage.feedback
        #expect(feedback?.text == "no such room, rooms lists all")
        #expect(feedback?.isRefusal == true)
        #expect(stage.model.laps == laps)
        #expect(stage.model.room == .main)
    }

    @Test("while a view is not connected, or not yet in its room, it joins no other room")
    func joinWithoutConnection() {
        let stage = Stage.inRoom()
        stage.connect()
        stage.lose()
        stage.enter("join main")
        #expect(stage.feedback == CommandPrompt.Feedback(text: "not connected", isRefusal: true))
        stage.pass(.seconds(1))
        stage.isHeld = { if case .join = $0 { true } else { false } }
        stage.connect()
        stage.enter("join main")
        #expect(stage.commands.last == "join blue")
        stage.release()
        #expect(stage.model.room == blue)
    }

    @Test("after a connection is lost the view joins the room of its last join")
    func comesBackAfterJoin() {
        let stage = Stage.leaving()
        stage.enter("join blue")
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.model.room == blue)
    }

    @Test("a user who opens a room sees its key, and is its auctioneer again after a reconnect")
    func opens() {
        let stage = Stage.open()
        let key = "5ab3c1f0e8d24b7795d3a6c41e0f8b62"
        stage.enter("open blue seconds=10 lots=5")
        #expect(stage.commands.contains("open blue seconds=10 lots=5"))
        #expect(stage.commands.contains("auctioneer \(key)"))
        #expect(stage.model.room == blue)
        #expect(stage.model.log.entries.map(\.text) == ["the key of your room: \(key)"])
        #expect(stage.feedback?.text == "the key of your room: \(key)")
        stage.enter("join main")
        stage.enter("join blue")
        stage.lose()
        stage.pass(.seconds(1))
        stage.connect()
        #expect(stage.commands.count { $0 == "auctioneer \(key)" } == 3)
    }

    @Test("the rooms are shown in place of the lot until Escape, a join, or the next lot")
    func lists() {
        let stage = Stage.leaving()
        stage.rooms = [
            RoomRow(name: .main, people: 3, lot: 1, format: .english, title: Stage.title),
            RoomRow(name: blue, people: 12, lot: 3, format: .vickrey, title: "Blue vase"),
        ]
        stage.enter("rooms")
        #expect(stage.feedback?.text == "2 rooms open")
        #expect(stage.screen.contains { $0.contains("blue  12 here  lot 3, vickrey  Blue vase") })
        stage.type("jo")
        stage.press(.tab)
        stage.type("b")
        stage.press(.tab)
        #expect(stage.line == "join blue ")
        stage.press(.control("u"))
        stage.press(.escape)
        #expect(!stage.screen.contains { $0.contains("12 here") })
        stage.enter("rooms")
        stage.enter("join blue")
        #expect(!stage.screen.contains { $0.contains("12 here") })
    }
}

private let blue = room("blue")

extension Stage {
    /// Makes a view that is to be in the room blue, in which a lot has just opened.
    fileprivate static func inRoom() -> Stage {
        let stage = Stage(in: blue)
        let lot = lotOpened(1, "Vase", start: 5)
        stage.otherRooms[blue] = Room(snapshot: [lot])
        return stage
    }

    /// Makes a view in the main room of a game with all that a view can show, and the room blue.
    fileprivate static func leaving() -> Stage {
        let stage = Stage.opened(Size(columns: 80, rows: 24)).later(4, "bob", 100)
        stage.standings = [StandingsRow(rank: 1, bidder: bidder("bob"), lots: 0, spent: 0, left: 7)]
        for secret in StageSale.secrets(purse: 860, worth: 143) { stage.send(.event(secret)) }
        stage.later(3, "alice", 120)
        stage.send(.event(.messageSaid(bidder("carol"), text: "hello")))
        stage.enter("standings")
        stage.otherRooms[blue] = Room()
        return stage
    }

}
