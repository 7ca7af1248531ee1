import Auction
import Bidder
import BidderSupport
import Terminal
import TestSupport
import Testing
import Wire

/// Views with random server lines and random keys.
@Suite struct ChaosTests {
    @Test("after random lines and random keys a frame is drawn", arguments: 0..<4)
    func chaos(seed: UInt64) {
        var player = ChaosPlayer(seed: seed)
        for _ in 0..<1_500 { player.play() }
        #expect(player.frames > 100)
    }
}

/// A random server and a random user, mostly valid, with extreme numbers.
private struct ChaosPlayer {
    private var chance: SplitMix64
    private let view: LiveView
    private(set) var frames = 0

    init(seed: UInt64) {
        chance = SplitMix64(seed: seed)
        view = LiveView(
            of: seed % 4 == 0 ? nil : bidder("alice"), in: room(seed % 2 == 0 ? "main" : "blue"),
            token: { _ in nil }, at: .network(host: "there", port: 7777),
            size: Size(columns: 80, rows: 24), chance: { 0.5 })
        view.begin()
    }

    mutating func play() {
        switch number(0..<40) {
        case 0: view.receive([.lost])
        case 1: view.resize(to: Size(columns: number(0..<120), rows: number(0..<60)))
        case 2...5: view.press(key())
        case 6: pass(.milliseconds(number(0..<20_000)))
        case 7...10: pass(.milliseconds(number(0..<500)))
        case 11...15: view.receive([.line(mutated(line(of: type())))])
        default: view.receive([.line(line(of: type()))])
        }
        for effect in view.takeEffects() { carryOut(effect) }
        if view.takeDrawing()?() != nil { frames += 1 }
    }

    private mutating func carryOut(_ effect: ClientEffect) {
        switch effect {
        case .connect:
            view.receive([.connected])
            view.receive([.line("HELLO auction/1 seconds=7 step=1 game=k3v9 (type help)")])
        case .send(let line):
            guard let request = try? Request(line: line), number(0..<8) > 0 else { return }
            answer(request)
        case .disconnect, .keep, .redraw, .suspend, .exit, .show, .say, .note, .bell, .complain:
            break
        }
    }

    private mutating func answer(_ request: Request) {
        let tag = request.tag ?? ""
        let content: String
        switch request.command {
        case .format: return view.receive([.line("OK #\(tag) format json")])
        case .laps:
            for _ in 0..<number(0..<4) { view.receive([.line(line(of: "lap"))]) }
            content = "laps \(number(0..<5) * number(0..<500))"
        case .who:
            for _ in 0..<number(0..<4) { view.receive([.line(line(of: "who"))]) }
            content = "who 2"
        case .join, .open:
            for type in ["hello", "lot", "price"] { view.receive([.line(line(of: type))]) }
            content = request.command.description + " k3y"
        case .rooms:
            for _ in 0..<number(0..<4) { view.receive([.line(line(of: "room"))]) }
            content = "rooms 2"
        case .status:
            for type in ["lot", "price", "countdown"] { view.receive([.line(line(of: type))]) }
            content = "status"
        default: content = request.command.description
        }
        view.receive([.line(#"{"type":"ok","content":"\#(content)","tag":"\#(tag)"}"#)])
    }

    private mutating func pass(_ duration: Duration) {
        view.timeline.advance(to: view.timeline.now + duration)
    }

    private mutating func number(_ range: Range<Int>) -> Int {
        .random(in: range, using: &chance)
    }

    private mutating func one<Value>(of values: [Value]) -> Value {
        values[number(0..<values.count)]
    }

    private mutating func type() -> String {
        one(of: [
            "hello", "lot", "price", "price", "price", "countdown", "going", "winner", "passed",
            "over", "paused", "resumed", "hammered", "voided", "kicked", "stopped", "joined",
            "left", "skipped", "state", "lap", "who", "room", "ok", "error", "bye",
        ])
    }

    /// A line of the server with the members of all messages.
    private mutating func line(of type: String) -> String {
        let isLot = ["lot", "passed"].contains(type)
        let texts = [
            ("type", type), ("content", isLot ? title() : one(of: ["once", "twice", "quit"])),
            ("title", title()), ("bidder", one(of: ["alice", "bob"])), ("reason", "no-bids"),
            ("code", "too-low"), ("room", one(of: ["main", "blue"])), ("format", "dutch"),
        ].map { #""\#($0)":"\#($1)""# }
        let numbers = [
            "seconds", "step", "lot", "people", "start", "amount", "bid", "lines", "lots", "price",
            "bids", "buy", "elapsedMilliseconds", "remainingMilliseconds", "nextMilliseconds",
        ].map { #""\#($0)":\#(one(of: Self.values))"# }
        let time = #""time":"\#(number(2_000..<9_999))-03-04T05:06:07.089Z""#
        let stage = one(of: ["waiting", "open", "paused", "sold", "passed", "over"])
        let state =
            (texts.suffix(1) + numbers + [
                #""stage":"\#(stage)","leader":"\#(one(of: ["alice", "bob"]))","next":["\#(title())"]"#,
                #""minimum":\#(one(of: Self.values)),"maximum":\#(one(of: Self.values))"#,
            ]).joined(separator: ",")
        return "{" + (texts + numbers + [time, #""state":{\#(state)}"#]).joined(separator: ",")
            + "}"
    }

    private mutating func title() -> String {
        let character = one(of: ["e\u{301}", "가", "👩‍👩‍👧", "x", "\u{202E}", "\u{301}"])
        return String(repeating: character, count: number(0..<60))
    }

    private mutating func key() -> Key {
        one(of: [
            .character(one(of: ["1", "2", "b", "?", " ", "é", "가"])), .enter, .tab, .backspace, .up,
            .down, .left, .pageUp, .pageDown, .home, .end, .pasted("bid 1,000"), .pasted("laps"),
            .pasted("status"), .pasted("rooms"), .pasted("join blue"), .pasted("open red lots=2"),
            .control("l"), .control("z"), .wordLeft, .escape, .unknown,
        ])
    }

    private mutating func mutated(_ line: String) -> String {
        var bytes = Array(line.utf8)
        for _ in 0..<number(1..<4) { bytes[number(0..<bytes.count)] = UInt8(number(0..<256)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let values: [Int64] = [
        0, 1, 1, 2, 3, 7, 7, 3_000, 3_000, 60_000, 1_000_000_000_000, 999_999_999_999_999,
        .max - 1, .max,
    ]
}
