import Addresses
import AuctionRules
import EventLog
import Saleroom
import ServerCore
import Testing
import Wire

/// Steps of the core of a server with one loop and a log in memory.
@Suite struct ServerCoreTests {
    /// A log whose disk hangs while `isHanging`.
    private final class HangingLog: EventLog {
        var isHanging = false { didSet { if !isHanging { durable = count } } }
        private var count = 0
        private var durable = 0

        func append(_ batch: LogBatch) -> Int {
            count += 1
            if !isHanging { durable = count }
            return count
        }

        func beginSegment(state: LogBatch) -> Int { append(state) }
        var progress: LogProgress { LogProgress(durable: durable) }
        func close() {}
    }

    /// A core, and what its loop reports.
    private struct Driver: ~Copyable {
        var core: ServerCore
        let log = HangingLog()
        var reports = [LoopReport()]
        private var now: Int64 = 0
        private(set) var messages: [ServerMessage] = []
        private(set) var closed: [SessionID] = []
        private(set) var events: [SessionEvent] = []

        init(
            unsentEffectLimit: Int = 1 << 13, openLimit: Int = .max,
            proxies: [AddressBlock] = []
        ) {
            var options = ServerCore.Options()
            options.openLimit = openLimit
            options.unsentEffectLimit = unsentEffectLimit
            options.trustedProxies = proxies
            let room = Lobby(
                rules: Rules(seconds: 7), limits: .none, at: Instant(nanoseconds: 0))
            core = ServerCore(room, CommitQueue(log), options)
        }

        /// Chooses a loop for a newcomer that is not local.
        mutating func place() -> Int? { core.placeNewcomer(isLocal: false) }

        mutating func receive(_ text: String, from id: SessionID) {
            reports[0].events.append(Array(text.utf8)[...], from: id)
        }

        /// Runs steps as a loop does, until one can do nothing more without input.
        mutating func run(at milliseconds: Int64) {
            now = milliseconds * 1_000_000
            repeat { step() } while canContinue
        }

        private var canContinue = false

        /// When the next step is due, in milliseconds.
        var deadline: Int64? { core.deadline.map { $0.nanoseconds / 1_000_000 } }

        /// Whether the server is ending, and whether it has ended.
        var end: [Bool] { [core.isClosing, core.isFinished] }

        private mutating func step() {
            let instant = Instant(nanoseconds: now)
            reports[0].readUntil = instant
            let outputs = core.step(&reports, at: instant, timeOfDay: now / 1_000_000)
            var effects = outputs.durable.flatMap(\.effects)
            for batch in outputs.durable { core.published(batch, at: instant) }
            effects += outputs.effects
            for effect in effects {
                switch effect {
                case .news(let message, _), .reply(let message, _, _): messages.append(message)
                case .close(let id, _): closed.append(id)
                case .confirm(let id, let number):
                    reports[0].events.confirm(id, number: number)
                default: break
                }
            }
            events += outputs.sessionEvents
            canContinue =
                outputs.canContinue || !core.isFull && !reports[0].events.isEmpty
        }
    }

    private static let alice = SessionID(connection: 1, loop: 0)
    private static let bob = SessionID(connection: 2, loop: 0)

    @Test("the hammer is due after a step that its last event filled")
    func filledStep() {
        var driver = Driver(unsentEffectLimit: 10)
        driver.reports[0].events.append(.joined(Self.alice, .loopback))
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 0)
        driver.receive(String(repeating: "ping\n", count: 12), from: Self.alice)
        driver.run(at: 30)
        #expect(driver.deadline == 1_000)
        for second: Int64 in 1...7 { driver.run(at: second * 1_000) }
        let isSold = driver.messages.contains { if case .winner = $0 { true } else { false } }
        #expect(isSold)
    }

    @Test("a PROXY header that does not come in five seconds closes the connection")
    func lateHeader() throws {
        let proxy = try #require(PeerAddress("10.0.0.1"))
        let block = try #require(AddressBlock("10.0.0.0/8"))
        var driver = Driver(proxies: [block])
        driver.reports[0].events.append(.joined(Self.alice, proxy))
        driver.run(at: 0)
        #expect(driver.deadline == 5_000)
        driver.run(at: 4_999)
        #expect(driver.closed.isEmpty)
        driver.run(at: 5_000)
        #expect(driver.closed == [Self.alice])
        #expect(driver.events.map(\.kind) == [.handshakeEnded(.late)])
    }

    @Test("a countdown runs from when its beginning is published")
    func countdownBegins() {
        var driver = Driver()
        driver.reports[0].events.append(.joined(Self.alice, .loopback))
        driver.receive("name alice\nbid 5\n", from: Self.alice)
        driver.run(at: 40)
        driver.run(at: 60)
        #expect(driver.deadline == 1_040)
    }

    @Test("a server that ends sends BYE, and has ended when all connections are gone")
    func shutDown() {
        var driver = Driver()
        let loop = driver.place()
        #expect(loop == 0)
        driver.reports[0].events.append(.joined(Self.alice, .loopback))
        driver.run(at: 0)
        driver.core.shutDown(at: Instant(nanoseconds: 1))
        driver.run(at: 1)
        #expect(driver.closed == [Self.alice])
        #expect(driver.end == [true, false])
        driver.reports[0].events.append(.lost(Self.alice))
        driver.run(at: 2)
        #expect(driver.end == [true, true])
    }

    @Test("a connection that closes while the disk hangs makes room for a newcomer at once")
    func closedWhileFull() {
        var driver = Driver(unsentEffectLimit: 10, openLimit: 2)
        for id in [Self.alice, Self.bob] {
            #expect(driver.place() == 0)
            driver.reports[0].events.append(.joined(id, .loopback))
        }
        driver.run(at: 0)
        driver.log.isHanging = true
        driver.receive("name alice\n" + String(repeating: "ping\n", count: 20), from: Self.alice)
        driver.run(at: 30)
        let isFull = driver.core.isFull
        #expect(isFull)
        driver.receive("ping\n", from: Self.bob)
        driver.run(at: 31)
        #expect(driver.place() == nil)
        driver.reports[0].events.append(.lost(Self.bob))
        driver.run(at: 32)
        #expect(driver.place() == 0)
        #expect(driver.place() == nil)
    }
}
