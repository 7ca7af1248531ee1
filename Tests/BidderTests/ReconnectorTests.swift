import Auction
import Bidder
import Terminal
import Testing
import Wire

@Suite struct ReconnectorTests {
    static let waits = [200, 400, 800, 1600, 3200, 5000, 5000].map { Duration.milliseconds($0) }

    @Test("failed attempts are repeated after 0.2 s, doubling to 5 s")
    func retries() {
        let stage = Stage()
        for (index, wait) in Self.waits.enumerated() {
            stage.lose("no server listens")
            #expect(stage.view.model.connection.lastError == "no server listens")
            #expect(!stage.view.model.connection.isLoading)
            stage.pass(wait - .milliseconds(1))
            #expect(stage.attempts == index + 1)
            stage.pass(.milliseconds(1))
            #expect(stage.attempts == index + 2)
            #expect(stage.view.model.connection.isLoading)
            #expect(stage.view.model.connection.lastError == "no server listens")
        }
    }

    @Test("a connection of 5 s resets the backoff")
    func reset() {
        let stage = Stage()
        for wait in Self.waits { stage.lose(); stage.pass(wait) }
        stage.connect()
        stage.pass(.seconds(5))
        let attempts = stage.attempts
        stage.lose()
        stage.pass(.milliseconds(200))
        #expect(stage.attempts == attempts + 1)
    }

    @Test("a shorter connection does not reset the backoff")
    func flaps() {
        let stage = Stage()
        for wait in Self.waits {
            stage.connect()
            stage.pass(.seconds(4))
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("a connection with only a greeting does not reset the backoff")
    func greetsAndGoes() {
        let stage = Stage()
        stage.isHeld = { _ in true }
        for wait in Self.waits {
            stage.connect()
            stage.lose()
            stage.expectAttempt(after: wait)
        }
    }

    @Test("a lost server is shown at once, beside the last known state")
    func lost() {
        let stage = Stage()
        stage.snapshot = [
            .event(
                .lotOpened(Lot(number: 1, title: "Vase")), .init(start: price(5), elapsed: .zero))
        ]
        stage.connect()
        stage.pass(.seconds(1))
        let frames = stage.frames
        stage.lose("the server is gone")
        stage.pass(.milliseconds(35))
        #expect(stage.frames > frames)
        #expect(!stage.view.model.isConnected)
        #expect(stage.view.model.connection.lastError == "the server is gone")
        #expect(stage.screen.contains { $0.contains("the server is gone") })
        #expect(stage.screen.contains { $0.contains("Vase") })
    }

    @Test("while the server is lost the clock and the countdown stop")
    func standsStill() {
        let stage = Stage()
        stage.snapshot = [
            .event(.lotOpened(Lot(number: 1)), .init(start: price(5), elapsed: .zero))
        ]
        stage.connect()
        stage.bid(5, by: "bob", at: .zero)
        stage.pass(.seconds(1))
        stage.lose()
        let model = stage.view.model
        stage.pass(.milliseconds(199))
        #expect(stage.view.model.elapsed == model.elapsed)
        #expect(stage.view.model.countdown == model.countdown)
    }
}

extension Stage {
    /// The number of attempts to connect.
    var attempts: Int { effects.count { $0 == .connect } }

    /// Expects the next attempt after exactly this time.
    fileprivate func expectAttempt(
        after wait: Duration, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let before = attempts
        pass(wait - .milliseconds(1))
        #expect(attempts == before, sourceLocation: sourceLocation)
        pass(.milliseconds(1))
        #expect(attempts == before + 1, sourceLocation: sourceLocation)
    }
}
