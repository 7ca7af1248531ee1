import AuctionRules
import BidderView
import Testing
import Wire

/// Going on after the process was stopped, or its machine slept.
@Suite struct StandstillTests {
    @Test("after a standstill the clock goes on from where the lot is by then")
    func standstill() {
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.bid(100, by: "bob", at: .zero, seconds: 3600)
        stage.pass(.seconds(2))
        stage.view.advance(to: stage.now + .seconds(36_000))
        stage.pass(.seconds(2))
        #expect(stage.view.model.elapsed == .seconds(36_004))
        #expect(stage.view.model.series.points.last?.price == price(100))
        #expect(stage.view.model.ages == [1: "10h"])
    }

    @Test("after a standstill no more is shown of the countdown than is left by then")
    func standstillOfCountdown() {
        let stage = Stage()
        stage.snapshot = [.lot(Lot(number: 1, title: "Vase"), start: price(5), elapsed: .zero)]
        stage.connect()
        stage.bid(100, by: "bob", at: .zero)
        stage.view.advance(to: stage.now + .seconds(6))
        #expect(stage.view.model.countdown?.remaining == .seconds(1))
        #expect(stage.view.model.elapsed == .seconds(6))
    }

    @Test("after a standstill an answer may be there unread, and has its time once more")
    func standstillOfAnswer() {
        let stage = Stage()
        stage.connect()
        stage.isHeld = { _ in true }
        stage.enter("ping")
        stage.view.advance(to: stage.now + .seconds(3600))
        #expect(stage.view.model.isConnected)
        stage.pass(.milliseconds(4999))
        #expect(stage.view.model.isConnected)
        stage.pass(.milliseconds(1))
        #expect(stage.view.model.connection.lastError == "the server does not answer")
    }

    @Test("a spinner does not make up for a standstill")
    func standstillOfSpinner() {
        let stage = Stage()
        #expect(stage.view.model.spinner == 0)
        stage.view.advance(to: .seconds(36_000))
        #expect(stage.view.model.spinner == 0)
        stage.pass(.milliseconds(100))
        #expect(stage.view.model.spinner == 1)
    }
}
