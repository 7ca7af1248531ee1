import AuctionRules
import BidderView
import Testing
import Wire

@Suite struct LiveViewTests {
    @Test("a view connects, takes its name, and shows the lot")
    func connects() {
        let stage = Stage()
        #expect(stage.wishes == [.connect])
        stage.snapshot = [
            .lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .seconds(3))
        ]
        stage.bidders = [bidder("alice")]
        stage.connect()
        #expect(
            stage.said == ["#1 format json", "#2 name alice", "#3 status", "#4 laps", "#5 who"])
        #expect(stage.wishes.contains(.keep(token: "t0ken", of: bidder("alice"))))
        print(stage.screen.joined(separator: "\n"))
    }
}
