import Basics
import House
import Journal
import Posix
import Wire

/// What the server counts besides its parts, and the text of the response to `GET /metrics`.
package final class Metrics {
    /// When the server was started, in milliseconds since 1970.
    private let startedAt: Int64
    private var accepted = 0
    private var closed = WordCounts()
    private var refused = WordCounts(LimitReached.allCases.map(\.rawValue))
    private var news = 0
    private var turns = DurationHistogram()
    /// What happened in each room.
    package var rooms = RoomFigures()

    /// Begins to count at a time in milliseconds since 1970.
    package init(startedAt: Int64) {
        self.startedAt = startedAt
    }

    // Counting

    /// Counts what connections did in a step, and what limits refused.
    package func note(_ outputs: StepOutputs) {
        for event in outputs.sessionEvents { note(event.kind) }
        for (limit, count) in outputs.limitsReached { note(limit, count: count) }
    }

    /// Counts what a limit refused.
    package func note(_ limit: LimitReached, count: Int) {
        refused.add(limit.rawValue, count: count)
    }

    /// Counts a turn of the actor's loop, which took this many nanoseconds.
    package func noteTurn(nanoseconds: Int64) {
        turns.record(nanoseconds)
    }

    /// Counts what a connection did.
    package func note(_ event: SessionEvent.Kind) {
        switch event {
        case .connected: accepted += 1
        case .left(let reason): closed.add(reason.word)
        case .handshakeEnded(let end): closed.add(end.rawValue)
        case .named, .opened, .appointed, .ordered: break
        }
    }

    /// Counts a piece of news of any room.
    func note(_ news: News) {
        self.news += 1
    }

    // The text

    /// The text for a scrape, with the figures of the parts of the server.
    package func text(with figures: ServerFigures) -> [UInt8] {
        var text = MetricsText()
        addConnections(figures, to: &text)
        addSale(figures.lobby, bidders: figures.bidders, to: &text)
        addRooms(figures.rooms, to: &text)
        addDeliveries(figures.loops, figures.lobby, to: &text)
        if let journal = figures.journal { addJournal(journal, to: &text) }
        text.add(
            histogram: "auction_turn_seconds",
            "Time of one turn of the main loop, without its waiting.", turns
        )
        addProcess(figures.process, to: &text)
        return text.bytes
    }

    private func addConnections(_ figures: ServerFigures, to text: inout MetricsText) {
        text.add(.gauge, "auction_connections", "Open connections.", figures.connections)
        text.add(
            .gauge, "auction_observers", "Connections that receive news, by encoding.",
            by: "encoding",
            figures.loops.observersByEncoding)
        text.add(
            .counter, "auction_connections_accepted_total",
            "Connections accepted, with those that a limit refused afterwards.", accepted)
        text.add(
            .counter, "auction_connections_closed_total", "Connections closed, by reason.",
            by: "reason",
            closed)
        text.add(
            .counter, "auction_refusals_total", "What a limit refused or closed, by limit.",
            by: "reason", refused)
    }

    private func addSale(_ lobby: LobbyMetrics, bidders: Int, to text: inout MetricsText) {
        text.add(.gauge, "auction_bidders", "Connected bidders.", bidders)
        text.add(.counter, "auction_commands_total", "Commands understood.", lobby.commands)
        text.add(
            .counter, "auction_errors_total", "ERROR replies, by code.", by: "code", lobby.errors)
        text.add(
            .counter, "auction_bids_accepted_total", "Bids of all kinds accepted.",
            lobby.bidsAccepted)
        text.add(
            .counter, "auction_bids_total", "Bids accepted, by the command.", by: "command",
            lobby.bidsByCommand)
        text.add(
            .counter, "auction_bids_refused_total",
            "Bids that the rules refused, by the error's code.",
            by: "code", lobby.bidsRefused)
        var lots = WordCounts()
        lots.add("sold", count: lobby.lotsSold)
        lots.add("passed", count: lobby.lotsPassed)
        text.add(
            .counter, "auction_lots_ended_total", "Lots ended, by outcome.", by: "outcome", lots)
        text.add(
            .counter, "auction_messages_total", "Messages of bidders to everybody.",
            lobby.messages)
        text.add(
            histogram: "auction_countdown_lateness_seconds",
            "How late each second of a countdown was published, down to the hammer.",
            lobby.countdownLateness)
    }

    private func addRooms(_ count: Int, to text: inout MetricsText) {
        text.add(.gauge, "auction_rooms", "Open rooms, with the main one.", count)
        let families: [(MetricsText.Kind, String, String, (RoomFigures.Counts) -> Int)] = [
            (.gauge, "auction_room_people", "Connections, by room.", { $0.people }),
            (
                .counter, "auction_room_bids_accepted_total", "Bids accepted, by room.",
                { $0.bidsAccepted }
            ),
            (.counter, "auction_room_lots_ended_total", "Lots ended, by room.", { $0.lotsEnded }),
        ]
        var prices = WordCounts()
        for (label, price) in rooms.listedPrices { prices.add(label, count: Int(price.amount)) }
        text.add(
            .gauge, "auction_room_price", "Leading or asking price, by room.", by: "room", prices)
        for (kind, name, help, count) in families {
            var counts = WordCounts()
            for (label, room) in rooms.list { counts.add(label, count: count(room)) }
            text.add(kind, name, help, by: "room", counts)
        }
    }

    private func addDeliveries(
        _ loops: LoopFigures, _ lobby: LobbyMetrics, to text: inout MetricsText
    ) {
        text.add(.counter, "auction_news_total", "News published.", news)
        text.add(
            .counter, "auction_deliveries_total", "News sent, counted once for each connection.",
            loops.deliveries)
        text.add(
            .counter, "auction_replies_total",
            "Lines sent to one connection alone, without purses, values and bids of its bidder.",
            lobby.replies)
        text.add(
            .counter, "auction_send_calls_total", "System calls that send news.",
            loops.sends)
        text.add(
            .counter, "auction_sent_bytes_total", "Bytes of news sent to clients.",
            loops.newsBytes)
        text.add(
            .counter, "auction_received_bytes_total",
            "Bytes received from clients; those of secret bids when the lot has ended.",
            lobby.receivedBytes)
        text.add(
            .counter, "auction_skips_total",
            "How often a connection fell behind and was skipped forward.",
            loops.skips)
        text.add(
            .counter, "auction_skipped_news_total", "News that skipped connections missed.",
            loops.skippedNews)
    }

    private func addJournal(_ journal: ServerFigures.Log, to text: inout MetricsText) {
        text.add(
            .counter, "auction_log_events_total", "Events made durable in the journal.",
            journal.written.events)
        text.add(
            .counter, "auction_log_batches_total",
            "Batches with events written and synced at once.",
            journal.written.batches)
        text.add(
            .counter, "auction_log_bytes_total", "Bytes of events written to the journal.",
            journal.written.bytes)
        text.add(
            histogram: "auction_log_sync_seconds",
            "Time to write a batch with events and sync it to the disk.",
            journal.syncTimes)
        if let bytes = journal.freeBytes {
            // In whole mebibytes, or it would tell that something secret was written.
            text.add(
                .gauge, "auction_log_free_bytes",
                "Free bytes of the journal's disk, in whole mebibytes.", (bytes >> 20) << 20)
        }
    }

    private func addProcess(_ process: ServerFigures.Process, to text: inout MetricsText) {
        var version = WordCounts()
        version.add(Release.version)
        text.add(
            .gauge, "auction_build_info", "The version of the server; always 1.", by: "version",
            version)
        text.add(
            .gauge, "process_start_time_seconds", "Start of the server, in seconds since 1970.",
            nanoseconds: startedAt * 1_000_000)
        if let bytes = process.residentBytes {
            text.add(.gauge, "process_resident_memory_bytes", "Resident memory.", bytes)
        }
        if let nanoseconds = process.cpuNanoseconds {
            text.add(
                .counter, "process_cpu_seconds_total", "CPU time of all threads.",
                nanoseconds: nanoseconds)
        }
    }
}

/// What the parts of a server have counted.
package struct ServerFigures {
    /// The journal's figures.
    package typealias Log = (
        written: JournalFigures, syncTimes: DurationHistogram, freeBytes: Int?
    )
    /// The process's figures; nil where the system does not report them.
    package typealias Process = (residentBytes: Int?, cpuNanoseconds: Int64?)

    /// The number of open connections.
    package var connections: Int
    /// The number of connected bidders.
    package var bidders: Int
    /// The number of open rooms.
    package var rooms: Int
    package var lobby: LobbyMetrics
    /// The sum over all loops.
    package var loops: LoopFigures
    /// Nil if the server keeps no journal.
    package var journal: Log?
    package var process: Process

    package init(
        connections: Int, bidders: Int, rooms: Int = 1, lobby: LobbyMetrics,
        loops: LoopFigures, journal: Log? = nil, process: Process
    ) {
        (self.connections, self.bidders, self.rooms) = (connections, bidders, rooms)
        (self.lobby, self.loops) = (lobby, loops)
        (self.journal, self.process) = (journal, process)
    }
}

extension LoopFigures {
    fileprivate var observersByEncoding: WordCounts {
        var counts = WordCounts()
        for encoding in Encoding.allCases {
            counts.add(encoding.rawValue, count: Int(observers[encoding.format]))
        }
        return counts
    }
}
