import Auction
import Basics
import Cluster
import ClusterSupport
import Testing

@Suite struct ReplicatedLogTests {
    private let world: LogWorld
    private var one: LogNode { world.nodes[0] }
    private var two: LogNode { world.nodes[1] }
    private let art: RoomName

    init() throws {
        world = LogWorld(FakeNATS(seed: 1), nodes: ["one", "two"])
        art = try #require(RoomName("art"))
        world.connectAll()
        world.run(for: .seconds(2))
    }

    private func claim(_ room: RoomName, by node: LogNode) {
        _ = node.log.claim(.room(room))
        world.run(for: .milliseconds(20))
    }

    /// Has one node claim a room while the other is frozen, which then reads all that came at once.
    private func claim(_ room: RoomName, by node: LogNode, whileFrozen frozen: LogNode) {
        frozen.isFrozen = true
        world.run(for: .milliseconds(20))
        claim(room, by: node)
        frozen.isFrozen = false
        world.run(for: .milliseconds(20))
    }

    private func texts(_ kind: String) -> [String] {
        world.nats.messages.filter { $0.message[header: "Auction-Kind"] == kind }
            .map { String(decoding: $0.message.payload, as: UTF8.self) }
    }

    @Test func theStreamIsMadeOnce() {
        #expect(one.log.isCaughtUp && two.log.isCaughtUp)
        #expect(one.log.problem == nil)
        #expect(one.log.progress.failure == nil)
    }

    @Test func aLogThatOnlyReadsMakesNoStream() {
        let world = LogWorld(FakeNATS(seed: 1), nodes: ["one"])
        let log = world.nodes[0].log
        world.nodes[0].connect(to: world.nats, replicas: nil, at: world.now)
        world.run(for: .milliseconds(20))
        let failure = log.progress.failure?.description
        #expect(failure?.hasPrefix("there is no auction on these NATS servers") == true)
    }

    @Test func theOwnerOfARoomAppendsAndTheOthersFollow() {
        claim(.main, by: one)
        #expect(one.results.map(\.isWon) == [true])
        #expect(two.log.owner(ofRoom: .main) == one.instance)
        one.append([(.main, "a")])
        #expect(one.log.progress.durable == 0)
        #expect(one.log.waitingSince == world.now)
        world.run(for: .milliseconds(20))
        #expect(one.log.progress.durable == 1)
        #expect(one.log.waitingSince == nil)
        #expect(texts("events") == ["+ - a\n"])
        #expect(two.replicas == [.main: ["a"]])
        #expect(one.followed.map(\.isOwn) == [true, true])
        #expect(two.followed.map(\.isOwn) == [false, false])
        #expect(two.log.appliedSequence == 2)
    }

    @Test func aRoomBecomesTheOwnOneWithItsFirstEntries() {
        one.append([(.main, "a")])
        two.append([(.main, "b")])
        let log = two.log
        world.run(for: .milliseconds(20))
        #expect(one.log.progress.durable == 1)
        #expect(log.progress.failure == LogFailure("another node owns the room main"))
        #expect(log.progress.durable == 0)
        #expect(texts("owner") == [""])
        #expect(texts("events") == ["+ - a\n"])
        #expect(world.violations == [])
    }

    @Test func onlyOneOfTwoClaimsIsWon() {
        _ = one.log.claim(.room(.main))
        _ = two.log.claim(.room(.main))
        world.run(for: .milliseconds(20))
        #expect(one.results.map(\.isWon) == [true])
        #expect(two.results.map(\.isWon) == [false])
        #expect(world.violations == [])
    }

    @Test func whatIsDecidedMeanwhileIsGathered() {
        claim(.main, by: one)
        for text in ["a", "b", "c"] { one.append([(.main, text)]) }
        world.run(for: .milliseconds(20))
        #expect(texts("events") == ["+ - a\n", "+ - b\n+ - c\n"])
        #expect(one.log.progress.durable == 3)
    }

    @Test func aLargeBatchIsDividedBetweenEntries() {
        claim(.main, by: one)
        let text = String(repeating: "x", count: 20_000)
        one.append([(.main, text), (.main, text), (.main, text), (.main, "end")])
        world.turn()
        #expect(one.log.progress.durable == 0)
        world.run(for: .milliseconds(20))
        #expect(texts("events").map(\.utf8.count) == [20_005, 20_005, 20_005 + 8])
        #expect(one.log.progress.durable == 1)
    }

    @Test func eachRoomHasItsOwnLog() {
        claim(.main, by: one)
        claim(art, by: one)
        var batch = LogBatch()
        batch.append(.note, "a")
        batch.beginSection(of: "art")
        batch.append(.event(7), "b", metadata: 12)
        batch.beginSection(of: nil)
        batch.append(.note, "dropped")
        batch.beginSection(of: "main")
        #expect(one.log.append(batch) == 1)
        var next = LogBatch()
        next.append(.note, "c")
        #expect(one.log.append(next) == 2)
        world.run(for: .milliseconds(20))
        #expect(texts("events") == ["- - a\n", "+ 12 b\n", "- - c\n"])
        #expect(two.replicas == [.main: ["a", "c"], art: ["b"]])
        let entries = two.followed.flatMap(\.entries)
        #expect(entries.map(\.kind) == [.note, .event, .note])
        #expect(entries.map(\.metadata) == [nil, 12, nil])
    }

    @Test func aBatchWithoutEntriesOfARoomIsDurableWithTheOneBefore() {
        #expect(one.log.append(LogBatch()) == 1)
        #expect(one.log.progress.durable == 1)
    }

    @Test func anOwnerThatWasReplacedFails() {
        claim(.main, by: one)
        one.append([(.main, "a")])
        world.run(for: .milliseconds(20))
        one.isFrozen = true
        claim(.main, by: two)
        #expect(two.results.map(\.isWon) == [true])
        let log = one.log
        one.append([(.main, "lost")])
        one.isFrozen = false
        world.run(for: .milliseconds(20))
        #expect(log.progress.failure == LogFailure("another node owns the room main"))
        #expect(log.progress.durable == 1)
        #expect(log.append(LogBatch()) == 3)
        #expect(log.progress.durable == 1)
        #expect(texts("events") == ["+ - a\n"])
        world.run(for: .seconds(2))
        #expect(one.replicas == [.main: ["a"]])
        #expect(world.violations == [])
    }

    @Test func aRoomThatWasReleasedCanBeClaimedByAnyNode() {
        claim(art, by: one)
        one.append([(art, "end")])
        world.run(for: .milliseconds(20))
        one.log.release(art)
        claim(art, by: one)
        one.log.release(art)
        claim(art, by: two)
        #expect(one.results.map(\.isWon) == [true, true])
        #expect(two.results.map(\.isWon) == [true])
        #expect(!one.log.owns(art) && two.log.owns(art))
        #expect(one.log.progress.failure == nil)
    }

    @Test func aRoomIsReleasedByItsEndInTheStream() {
        claim(art, by: one)
        let log = one.log
        one.append([(art, "SHUT art")])
        world.turn()
        claim(art, by: two, whileFrozen: one)
        #expect(two.results.map(\.isWon) == [true])
        #expect(log.progress.failure == nil && log.progress.durable == 1)
        #expect(log.owner(ofRoom: art) == two.instance)
    }

    @Test func aRoomThatIsOpenedAgainAtOnceIsNotReleased() {
        claim(art, by: one)
        let log = one.log
        one.append([(art, "SHUT art")])
        one.append([(art, "OPEN art")])
        world.run(for: .milliseconds(20))
        #expect(log.owns(art))
        one.isFrozen = true
        claim(art, by: two)
        one.append([(art, "lost")])
        one.isFrozen = false
        world.run(for: .milliseconds(20))
        #expect(log.progress.failure == LogFailure("another node owns the room art"))
        #expect(log.progress.durable == 2)
    }

    @Test func losingTheStateOfARoomThatHasEndedIsNoFailure() {
        claim(art, by: one)
        let log = one.log
        one.append([(art, "SHUT art")])
        world.run(for: .milliseconds(20))
        one.beginSegment()
        world.turn()
        claim(art, by: two, whileFrozen: one)
        #expect(log.progress.failure == nil && log.progress.durable == 2)
        #expect(log.waitingSince == nil)
    }

    @Test func theStateOfARoomThatHasEndedGivesWayToAnOwnClaim() {
        claim(art, by: one)
        let log = one.log
        one.append([(art, "SHUT art")])
        world.run(for: .milliseconds(20))
        _ = one.log.claim(.room(art))
        one.beginSegment()
        world.run(for: .seconds(1))
        #expect(one.results.map(\.isWon) == [true, true])
        #expect(log.progress.failure == nil && log.owns(art))
        #expect(log.waitingSince == nil)
    }

    @Test func aRoomThatWasWonAndIsNotInTheStateKeepsItsLog() {
        claim(art, by: one)
        one.append([(art, "OPEN art")])
        world.run(for: .milliseconds(20))
        claim(art, by: two)
        two.append([(.main, "a")])
        two.beginSegment(without: art)
        world.run(for: .milliseconds(20))
        #expect(texts("events") == ["+ - OPEN art\n"])
        #expect(texts("state-end") == ["=1 - a\n"])
        two.beginSegment()
        world.run(for: .milliseconds(20))
        #expect(texts("state-end") == ["=1 - a\n", "=1 - OPEN art\n"])
    }

    @Test func aRoomThatHasEndedIsNotAmongThoseWithAnOwner() {
        claim(art, by: one)
        for (text, isOwned) in [("OPEN art", true), ("SHUT art", false), ("OPEN art", true)] {
            one.append([(art, text)])
            world.run(for: .milliseconds(20))
            #expect((one.log.owners[art] != nil) == isOwned)
            #expect((two.log.owners[art] != nil) == isOwned)
        }
    }

    @Test func entriesAfterTheEndOfARoomTakeItBack() {
        claim(art, by: one)
        one.append([(art, "SHUT art")])
        world.run(for: .milliseconds(20))
        #expect(!one.log.owns(art))
        one.append([(art, "OPEN art")])
        world.run(for: .milliseconds(20))
        #expect(one.log.owns(art) && one.log.progress.durable == 2)
        #expect(texts("owner") == ["", ""])
    }

    @Test func anUnansweredAppendIsSentAgainAndStoredOnce() {
        claim(.main, by: one)
        world.nats.faults.lostAcknowledgements = 100
        world.nats.faults.lostDeliveries = 100
        one.append([(.main, "a")])
        world.run(for: .seconds(1))
        #expect(one.log.progress.durable == 0)
        world.nats.faults = FakeNATS.Faults()
        world.run(for: .seconds(3))
        #expect(one.log.progress.durable == 1)
        #expect(texts("events") == ["+ - a\n"])
    }

    @Test func anAppendWaitsForTheNextConnection() throws {
        claim(.main, by: one)
        one.disconnect(from: world.nats, at: world.now)
        one.append([(.main, "a")])
        world.run(for: .seconds(5))
        #expect(one.log.progress.durable == 0)
        let since = try #require(one.log.waitingSince)
        #expect(since.duration(to: world.now) == .seconds(5))
        #expect(!one.log.isCaughtUp)
        one.connect(to: world.nats, at: world.now)
        world.run(for: .seconds(2))
        #expect(one.log.progress.durable == 1)
        #expect(one.log.isCaughtUp)
    }

    @Test func aClaimThatIsNotDecidedIsWaitedFor() throws {
        one.disconnect(from: world.nats, at: world.now)
        _ = one.log.claim(.name(try #require(Bidder("alice"))))
        world.run(for: .seconds(5))
        let since = try #require(one.log.waitingSince)
        #expect(since.duration(to: world.now) == .seconds(5))
    }

    @Test func aStateReplacesWhatLiesBeforeIt() {
        claim(.main, by: one)
        let text = String(repeating: "x", count: 30_000)
        for number in 1...4 { one.append([(.main, "\(number)\(text)")]) }
        world.run(for: .milliseconds(50))
        one.beginSegment()
        one.append([(.main, "5")])
        world.run(for: .milliseconds(50))
        #expect(texts("events") == ["+ - 5\n"])
        #expect(texts("state").count == 1)
        #expect(texts("state-end").count == 1)
        #expect(one.log.progress.durable == 6)
        two.restart(on: world.nats, at: world.now)
        world.run(for: .seconds(2))
        #expect(two.replicas == one.replicas)
        #expect(two.followed.map(\.kind) == [.state, .events])
        #expect(two.log.owner(ofRoom: .main) == one.instance)
        world.checkAgreement()
        #expect(world.violations == [])
    }

    @Test func aStateThatIsNotCompleteReplacesNothing() {
        claim(.main, by: one)
        let text = String(repeating: "x", count: 30_000)
        for number in 1...3 { one.append([(.main, "\(number)\(text)")]) }
        world.run(for: .milliseconds(50))
        world.nats.faults.lostAcknowledgements = 100
        world.nats.faults.lostDeliveries = 100
        one.beginSegment()
        world.run(for: .milliseconds(50))
        #expect(texts("state").count == 1)
        let replica = one.replicas
        one.restart(on: world.nats, at: world.now)
        world.nats.faults = FakeNATS.Faults()
        world.run(for: .seconds(5))
        claim(.main, by: two)
        #expect(two.replicas == replica)
        #expect(one.replicas == replica)
        #expect(one.followed.map(\.kind) == [.owner, .events, .events, .events, .owner])
        #expect(world.violations == [])
    }

    @Test func aRoomThatHasNotChangedNeedsNoNewState() {
        claim(.main, by: one)
        one.append([(.main, "a")])
        world.run(for: .milliseconds(20))
        one.beginSegment()
        one.beginSegment()
        world.run(for: .milliseconds(20))
        #expect(texts("state-end") == ["=1 - a\n"])
    }

    @Test func aSegmentIsFullAfterManyEntries() {
        claim(.main, by: one)
        var batch = LogBatch()
        for _ in 0..<20_000 { batch.append(.note, "a") }
        #expect(!one.log.progress.isSegmentFull)
        _ = one.log.append(batch)
        #expect(one.log.progress.isSegmentFull)
        one.beginSegment()
        #expect(!one.log.progress.isSegmentFull)
    }

    @Test func aNameIsClaimedOnce() throws {
        let name = try #require(Bidder("Alice"))
        let number = one.log.claim(.name(name))
        _ = one.log.claim(.name(name))
        world.run(for: .milliseconds(20))
        #expect(one.results.map(\.isWon) == [true, false])
        #expect(one.results.first?.number == number)
        #expect(two.followed.map(\.subject) == [.name(name)])
    }

    @Test func aClaimOfANameReplacesTheOneBefore() throws {
        let name = try #require(Bidder("Alice"))
        for node in [one, two] {
            _ = node.log.claim(.name(name))
            world.run(for: .seconds(1))
            #expect(node.results.map(\.isWon) == [true])
        }
        #expect(world.nats.messages.map(\.message.subject) == ["auction.name.alice"])
        #expect(world.nats.messages.map(\.sequence) == [2])
        // The times are those of the stream, also when it is read later.
        let times = two.followed.map(\.storedAt)
        one.restart(on: world.nats, at: world.now)
        world.run(for: .seconds(2))
        #expect(one.followed.map(\.storedAt) == [times[1]])
        #expect(times[0].duration(to: times[1]) == .seconds(1))
    }

    @Test(arguments: [
        (["auction.log.*"], 3, "has the subjects auction.log.* instead of"),
        (
            ["auction.name.*", "auction.log.*"], 1,
            "has 1 of the 3 replicas: run `nats stream edit auction --replicas=3`"
        ),
    ])
    func aStreamWithOtherSettingsIsRefused(subjects: [String], replicas: Int, reason: String) {
        let nats = FakeNATS(seed: 1)
        let start = Instant(nanoseconds: 0)
        let connection = nats.connect()
        let request = JetStreamRequest.createStream(
            StreamConfiguration(name: "auction", subjects: subjects, replicas: replicas))
        nats.send([.publish(request.message(reply: "x"))], on: connection, at: start)
        let world = LogWorld(nats, nodes: ["one"])
        let log = world.nodes[0].log
        world.connectAll()
        world.run(for: .milliseconds(20))
        #expect(log.progress.failure?.description.contains(reason) == true)
    }

    @Test(arguments: [
        ("auction.log.main", "events", "+ - a"), ("auction.log.main", "events", "+ x a\n"),
        ("auction.log.main", "events", "=1 - a\n"), ("auction.log.main", "state-end", "+ - a\n"),
        ("auction.log.main", "owner", "+ - a\n"), ("auction.log.main", "events", "+  a\n"),
        ("auction.log.main", "events", "\n"), ("auction.log.main", "events", "+ - a\tb\n"),
        ("auction.log.main", "events", "+ 1234567890123 a\n"), ("auction.log.main", "name", ""),
        ("auction.log.Main", "events", ""), ("auction.name.alice", "events", ""),
        ("auction.log.main", "news", ""),
    ])
    func aMalformedMessageEndsTheLog(subject: String, kind: String, body: String) {
        let log = one.log
        let headers = [
            NATSMessage.Header("Nats-Expected-Last-Subject-Sequence", "0"),
            .init("Nats-Msg-Id", "1-1"), .init("Auction-Node", "x"),
            .init("Auction-Instance", "00000001"), .init("Auction-Kind", kind),
        ]
        let message = NATSMessage(subject, headers: headers, payload: Array(body.utf8))
        let connection = world.nats.connect()
        world.nats.send([.publish(message)], on: connection, at: world.now)
        world.run(for: .milliseconds(5))
        let failure = log.progress.failure?.description
        #expect(failure?.hasPrefix("message 1 of the stream auction is malformed: run ") == true)
        #expect(failure?.hasSuffix(" remove it with `nats stream rmm auction 1`") == true)
    }
}
