import Arguments
import Basics
import Load
import Posix
import Transport

/// The scenario `rooms`: what a busy room costs the others.
///
/// Some quiet rooms are measured alone, and then again while many observe a bidding war in another.
/// After that the war is over, and some lots end in the busy room too.
final class Rooms {
    /// The bids a second in a quiet room.
    private static let quietRate = 20
    /// The connections that listen in a quiet room.
    private static let quietObservers = 2
    /// How long the war lasts before the second measurement begins.
    private static let settlingNanoseconds: Int64 = 1_000_000_000
    /// The time in which the rounds of all rooms begin, so that their lots do not end at once.
    private static let roundNanoseconds: Int64 = 2_200_000_000

    /// The figures of all quiet rooms together.
    private struct Figures {
        var accepted = 0
        var refused = 0
        var latency = Histogram()
        var lateness = Histogram()
        var latenessAtLast = Histogram()
        var uncertainty = Histogram()
        var delays = Histogram()
        var nanoseconds: Int64 = 0
        var cost: ProcessFigures?

        mutating func add(_ room: BenchRoom) {
            accepted += room.tally.accepted
            refused += room.tally.refused
            latency.add(room.tally.latency)
            lateness.add(room.hammers.bidder)
            latenessAtLast.add(room.hammers.last)
            uncertainty.add(room.hammers.uncertainty)
            delays.add(room.delays)
        }
    }

    private let server: Server
    private let observers, bidders, rate: Int
    private let nanoseconds: Int64
    private let loop: EventLoop
    private let rooms: [BenchRoom]
    private let byHandle: [Handle: BenchRoom]
    private var busy: BusyRoom?

    /// Opens the quiet rooms.
    init(_ invocation: Invocation) throws {
        server = Server(invocation)
        observers = invocation[Flags.observers]
        bidders = invocation[Flags.bidders]
        rate = invocation[Flags.rate] ?? 100
        nanoseconds = Flags.nanoseconds(invocation)
        loop = try EventLoop()
        var rooms: [BenchRoom] = []
        for _ in 0..<invocation[Flags.quietRooms] {
            rooms.append(
                try BenchRoom(
                    on: loop, to: server, after: rooms.last, bidders: bidders,
                    rate: Self.quietRate, observers: Self.quietObservers))
        }
        self.rooms = rooms
        byHandle = Dictionary(
            uniqueKeysWithValues: rooms.flatMap { room in room.handles.map { ($0, room) } })
    }

    /// Measures the quiet rooms alone, then beside a busy one, and then the lots of the busy one.
    func run() throws -> Outcome {
        let alone = try measure()
        let room = try BenchRoom(
            on: loop, to: server, after: rooms.last, bidders: bidders, rate: rate, observers: 0)
        let busy = try BusyRoom(room, of: server, observers: observers)
        self.busy = busy
        try listen(for: Self.settlingNanoseconds)
        let beside = try measure()
        let war = try busy.endWar()
        try listen(for: nanoseconds)
        try busy.stop()
        guard alone.lateness.count > 0, beside.lateness.count > 0 else {
            throw Failure("no lot ended: give more --seconds, at least 5")
        }
        return Outcome(report(alone, beside, war, room.hammers))
    }

    private func measure() throws -> Figures {
        let before = try server.figures()
        let start = monotonicNanoseconds()
        for (index, room) in rooms.enumerated() {
            let offset = Self.roundNanoseconds * Int64(index) / Int64(rooms.count)
            try room.begin(at: start + offset)
        }
        try listen(for: nanoseconds)
        var figures = Figures()
        for room in rooms { figures.add(room) }
        figures.nanoseconds = monotonicNanoseconds() - start
        figures.cost = try server.cost(since: before)
        return figures
    }

    /// Bids and reads in all rooms for some time.
    private func listen(for nanoseconds: Int64) throws {
        let end = monotonicNanoseconds() + nanoseconds
        let busy = busy?.room
        try loop.run { ready, _ in
            for readiness in ready {
                try (byHandle[readiness.handle] ?? busy)?.receive(readiness)
            }
            let now = monotonicNanoseconds()
            for room in rooms { try room.bidIfDue(at: now) }
            try busy?.bidIfDue(at: now)
            if now >= end { loop.stop() }
            let next = rooms.reduce(end) { min($0, $1.nextBid) }
            return Instant(nanoseconds: min(next, busy?.nextBid ?? next))
        }
    }

    private func report(
        _ alone: Figures, _ beside: Figures, _ war: BusyRoom.Figures, _ busyLots: HammerTimes
    ) -> Report {
        var report = Report(of: "rooms")
        report.add("rooms", rooms.count)
        report.add("bidders", bidders)
        report.add("observers", observers)
        report.add("rate", rate)
        report.add("busyAcceptedPerSecond", war.tally.accepted, in: war.nanoseconds)
        report.add("busyDeliveriesPerSecond", war.deliveries, in: war.nanoseconds)
        report.add("busyOKLatencyNanoseconds", war.tally.latency)
        report.add("busyLots", busyLots.bidder.count)
        report.add("busyLatenessNanoseconds", busyLots.bidder)
        add(alone, "alone", to: &report)
        add(beside, "beside", to: &report)
        for percent in [50.0, 99] {
            let ratio = { (figures: Figures) in Double(max(1, figures.latency.percentile(percent)))
            }
            report.add(
                "okRatioP\(Int(percent))", ratio(beside) / ratio(alone), places: 2)
        }
        let later = beside.lateness.maximum - alone.lateness.maximum
        report.add("laterMilliseconds", Double(later) / 1e6, places: 2)
        return report
    }

    private func add(_ figures: Figures, _ key: String, to report: inout Report) {
        report.add("\(key)AcceptedPerSecond", figures.accepted, in: figures.nanoseconds)
        report.add("\(key)Refused", figures.refused)
        report.add("\(key)Lots", figures.lateness.count)
        report.add("\(key)OKLatencyNanoseconds", figures.latency)
        report.add("\(key)LatenessNanoseconds", figures.lateness)
        report.add("\(key)LastLatenessNanoseconds", figures.latenessAtLast)
        report.add("\(key)UncertaintyNanoseconds", figures.uncertainty)
        report.add("\(key)DelayNanoseconds", figures.delays)
        report.addShare(
            "\(key)CpuPercent", ofCore: figures.cost?.cpuNanoseconds, in: figures.nanoseconds)
    }
}

extension BenchRoom {
    /// Opens a room whose name, and whose bidders, have the numbers after those of another room.
    fileprivate convenience init(
        on loop: EventLoop, to server: Server, after last: BenchRoom?, bidders: Int, rate: Int,
        observers: Int
    ) throws {
        try self.init(
            on: loop, to: server, from: (last?.number ?? 0) + 1, bidders: bidders,
            named: (last?.lastBidder ?? 0) + 1, rate: rate, observers: observers)
    }
}
