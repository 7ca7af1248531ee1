import Basics
import House
import Journal
import Server
import Testing

@Suite struct MetricsTests {
    private func string(_ text: MetricsText) -> String {
        String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("a family has its help and its type once, before its numbers")
    func family() {
        var text = MetricsText()
        text.add(.gauge, "auction_connections", "Open connections.", 3)
        var counts = WordCounts(["too-low"])
        counts.add("leading", count: 2)
        text.add(
            .counter, "auction_bids_refused_total", "Bids refused, by code.", by: "code", counts)
        #expect(
            string(text) == """
                # HELP auction_connections Open connections.
                # TYPE auction_connections gauge
                auction_connections 3
                # HELP auction_bids_refused_total Bids refused, by code.
                # TYPE auction_bids_refused_total counter
                auction_bids_refused_total{code="too-low"} 0
                auction_bids_refused_total{code="leading"} 2

                """)
    }

    @Test("a histogram has cumulative buckets in seconds, their sum and their number")
    func histogram() {
        var durations = DurationHistogram()
        for nanoseconds: Int64 in [40_000, 50_001, 70_000, 3_000_000_000] {
            durations.record(nanoseconds)
        }
        var text = MetricsText()
        text.add(histogram: "auction_log_sync_seconds", "Time to sync.", durations)
        let lines = string(text).split(separator: "\n")
        #expect(lines[0] == "# HELP auction_log_sync_seconds Time to sync.")
        #expect(lines[1] == "# TYPE auction_log_sync_seconds histogram")
        #expect(lines[2] == #"auction_log_sync_seconds_bucket{le="0.00005"} 1"#)
        #expect(lines[3] == #"auction_log_sync_seconds_bucket{le="0.0001"} 3"#)
        #expect(lines[4] == #"auction_log_sync_seconds_bucket{le="0.00025"} 3"#)
        #expect(
            lines.suffix(4) == [
                #"auction_log_sync_seconds_bucket{le="1"} 3"#,
                #"auction_log_sync_seconds_bucket{le="+Inf"} 4"#,
                "auction_log_sync_seconds_sum 3.000160001",
                "auction_log_sync_seconds_count 4",
            ])
    }

    @Test("what could end a line or a label's value is escaped")
    func escaped() {
        var counts = WordCounts()
        counts.add("a\"b\\c\nd")
        var text = MetricsText()
        text.add(.gauge, "auction_x", "a \"quoted\" \\ help\nof two lines", by: "word", counts)
        #expect(
            string(text) == #"""
                # HELP auction_x a "quoted" \\ help\nof two lines
                # TYPE auction_x gauge
                auction_x{word="a\"b\\c\nd"} 1

                """#)
    }

    @Test(
        "nanoseconds are written as exact seconds",
        arguments: [
            (0, "0"), (1, "0.000000001"), (1_500_000_000, "1.5"), (60_000_000_000, "60"),
            (1_790_000_000_123_000_000, "1790000000.123"),
        ] as [(Int64, String)])
    func seconds(nanoseconds: Int64, expected: String) {
        var text = MetricsText()
        text.add(.gauge, "auction_x_seconds", "X.", nanoseconds: nanoseconds)
        #expect(string(text).hasSuffix("\nauction_x_seconds \(expected)\n"))
    }

    @Test("closed connections are counted by reason, and refusals by limit")
    func connections() {
        let metrics = Metrics(startedAt: 1_790_000_000_123)
        metrics.note(.connected)
        metrics.note(.connected)
        metrics.note(.left(.closed(.quit)))
        metrics.note(.left(.stalled))
        metrics.note(.addressFull, count: 3)
        let lines = lines(of: metrics)
        #expect(lines.contains("auction_connections_accepted_total 2"))
        #expect(lines.contains(#"auction_connections_closed_total{reason="quit"} 1"#))
        #expect(lines.contains(#"auction_connections_closed_total{reason="stalled"} 1"#))
        #expect(lines.contains(#"auction_refusals_total{reason="address-full"} 3"#))
        #expect(lines.contains(#"auction_refusals_total{reason="full"} 0"#))
        #expect(lines.contains("process_start_time_seconds 1790000000.123"))
    }

    @Test("a server without a journal has no figures of one, and one with a journal has")
    func journal() {
        let metrics = Metrics(startedAt: 0)
        #expect(!lines(of: metrics).contains { $0.contains("auction_log_") })
        var written = JournalFigures()
        (written.events, written.batches, written.bytes) = (7, 5, 900)
        let lines = lines(of: metrics, journal: (written, DurationHistogram(), 5_000_000))
        #expect(lines.contains("auction_log_events_total 7"))
        #expect(lines.contains("auction_log_batches_total 5"))
        #expect(lines.contains("auction_log_bytes_total 900"))
    }

    @Test("each family occurs once, and the name of each counter ends in _total")
    func families() {
        let types = lines(of: Metrics(startedAt: 0)).filter { $0.hasPrefix("# TYPE ") }
            .map { $0.split(separator: " ") }
        #expect(types.count > 20)
        #expect(Set(types.map { $0[2] }).count == types.count)
        for type in types {
            #expect(type[2].hasSuffix("_total") == (type[3] == "counter"))
        }
    }

    private func lines(
        of metrics: Metrics, journal: ServerFigures.Log? = nil
    ) -> [Substring] {
        let figures = ServerFigures(
            connections: 2, bidders: 1, lobby: LobbyMetrics(), loops: LoopFigures(),
            journal: journal, process: (residentBytes: 4096, cpuNanoseconds: 5))
        return String(decoding: metrics.text(with: figures), as: UTF8.self)
            .split(separator: "\n")
    }
}
