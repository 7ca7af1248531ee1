import Auction
import Bidder
import Testing
import Wire

@Suite struct RequestPipelineTests {
    @Test("an answer without a tag belongs to the oldest request without a tag")
    func untagged() {
        var pipeline = RequestPipeline<String>()
        pipeline.add("first")
        pipeline.add("second")
        #expect(context(of: pipeline.receive("OK ping").event) == "first")
        #expect(context(of: pipeline.receive("ERROR #7 closed wait").event) == "second")
        #expect(context(of: pipeline.receive("OK ping").event) == nil)
        #expect(pipeline.count == 0)
    }

    @Test("an answer with a tag belongs to the request with this tag")
    func tagged() {
        var pipeline = RequestPipeline<String>()
        for tag in ["1", "2", "3"] { pipeline.add("request \(tag)", tag: tag) }
        #expect(context(of: pipeline.receive("OK #2 ping").event) == "request 2")
        #expect(context(of: pipeline.receive("ERROR unavailable try again").event) == nil)
        #expect(pipeline.contexts == ["request 1", "request 3"])
    }

    @Test("the data of an answer is what comes right before it")
    func data() {
        var pipeline = RequestPipeline<String>()
        _ = pipeline.receive("WHO nobody-asked")
        pipeline.add("who")
        for line in ["WHO too-early", "JOINED eve", "WHO alice", "WHO eve"] {
            _ = pipeline.receive(line)
        }
        guard case .answered(.who(2), let data, "who") = pipeline.receive("OK who 2").event else {
            Issue.record("no answer")
            return
        }
        #expect(data.map(\.text) == ["WHO alice", "WHO eve"])
    }

    @Test("lines are parsed in the format of the last answer about it")
    func format() {
        var pipeline = RequestPipeline<String>()
        let paused = #"{"type":"paused","content":""}"#
        #expect(pipeline.receive(paused).line.message == nil)
        _ = pipeline.receive("OK format json")
        #expect(pipeline.receive(paused).line.message == .event(.paused))
        _ = pipeline.receive(#"{"type":"ok","content":"format text"}"#)
        #expect(pipeline.receive("PAUSED").line.message == .event(.paused))
    }

    private func context(of event: RequestPipeline<String>.Event) -> String? {
        switch event {
        case .answered(_, _, let context), .refused(_, _, let context): context
        case .greeting, .news, .data, .closing: nil
        }
    }
}

@Suite struct NewsSequenceTests {
    @Test("a number is used once, and while news is resumed in order")
    func sequence() {
        var sequence = NewsSequence()
        func accepts(_ number: Int?, isSnapshot: Bool = false) -> Bool {
            sequence.accept(NewsStamp(number: number, isSnapshot: isSnapshot))
        }
        #expect([accepts(4, isSnapshot: true), accepts(7), accepts(7)] == [true, true, false])
        sequence.isResuming = true
        #expect([9, 8, 7, 9].map { accepts($0) } == [false, true, false, true])
        sequence.isResuming = false
        #expect([20, nil].map { accepts($0) } == [true, true])
        #expect(sequence.newest == 20)
    }
}
