import Reactive
import Wire

/// What is said to the server and heard from it: each answer finds whoever asked, the rest is news.
///
/// It talks JSON, for only that tells the time left to the millisecond.
final class Dialogue {
    /// An answer, with the lines of data that stand right before it.
    struct Reply {
        let answer: Answer
        let data: [ServerMessage]
    }

    /// Somebody who waits for an answer, and for how long.
    private struct Question {
        let observer: Signal<Reply>.Observer
        var limit: Subscription
    }

    /// How long the server may take to answer.
    static let patience = Duration.seconds(5)
    /// An answer has at most so many lines of data; what is more is left out.
    static let mostData = 100_000

    /// Everything that the server tells everybody, and what it says of itself.
    let news = Subject<ServerMessage>()
    /// Why a conversation makes no more sense.
    let troubles = Subject<Trouble>()

    private let timeline: Timeline
    private let wishes: Subject<Wish>
    private var format: Format?
    private var waiting: [String: Question] = [:]
    private var data: [ServerMessage] = []
    private var questions = 0

    /// What it wants said is wished for.
    init(on timeline: Timeline, wishes: Subject<Wish>) {
        self.timeline = timeline
        self.wishes = wishes
    }

    /// Begins on a fresh connection.
    func connect() {
        (format, data) = (.text, [])
    }

    /// Ends with the connection: whoever waits for an answer learns why there is none.
    func lose(_ trouble: Trouble) {
        format = nil
        let left = waiting.values
        waiting = [:]
        for question in left { question.observer.fail(trouble) }
    }

    /// The answer to a command, which is said when somebody observes.
    ///
    /// Fails with `Trouble`.
    func ask(_ command: Request.Command) -> Signal<Reply> {
        Signal { [self] observer in
            guard format != nil else { return observer.fail(Trouble.lost("not connected")) }
            questions += 1
            let tag = "\(questions)"
            waiting[tag] = Question(observer: observer, limit: limit(from: timeline.now))
            observer.hold(Subscription { self.waiting[tag] = nil })
            wishes.notify(.send(Request(command, tag: tag).description))
        }
    }

    /// Has patience once more from then on: until then nothing could be heard.
    func waitAnew(from time: Duration) {
        for tag in waiting.keys { waiting[tag]?.limit = limit(from: time) }
    }

    private func limit(from start: Duration) -> Subscription {
        timeline.schedule(at: start + Self.patience) { [unowned self] in
            troubles.notify(.lost("the server does not answer"))
        }
    }

    /// Hears a line without its end.
    func hear(_ line: String) {
        switch format {
        case nil: break
        case .text?: hearText(line)
        case .json?: if let message = ServerMessage(json: line) { hear(message) }
        }
    }

    /// Hears the greeting; of the rest only answers, for the snapshot is asked for again.
    private func hearText(_ line: String) {
        switch ServerMessage(text: line) {
        case .hello(let seconds, let step, let game)?:
            news.notify(.hello(seconds: seconds, step: step, game: game))
        case .ok(let answer, let tag)?: finish(answer, tag)
        case .error(let fault, let tag)?: fail(fault, tag)
        case .bye(let farewell)?: troubles.notify(.parted(farewell))
        case nil: troubles.notify(.lost("this is no auction/1 server: \(line)"))
        default: break
        }
    }

    private func hear(_ message: ServerMessage) {
        switch message {
        case .lap, .who, .help:
            if !waiting.isEmpty, data.count < Self.mostData { data.append(message) }
        case .ok(let answer, let tag): finish(answer, tag)
        case .error(let fault, let tag): fail(fault, tag)
        case .bye(let farewell): troubles.notify(.parted(farewell))
        case .hello, .lot, .price, .countdown, .last, .going, .winner, .passed, .over, .paused,
            .resumed,
            .hammered, .voided, .kicked, .stopped, .joined, .left, .skipped:
            news.notify(message)
        }
    }

    private func finish(_ answer: Answer, _ tag: String?) {
        let reply = Reply(answer: answer, data: data)
        data = []
        guard let observer = tag.flatMap({ waiting[$0]?.observer }) else { return }
        if case .format(let chosen) = answer { format = chosen }
        observer.next(reply)
        observer.complete()
    }

    /// A fault without a tag, as of a server that is full, is not about anything that was asked.
    private func fail(_ fault: ErrorReply, _ tag: String?) {
        data = []
        guard let tag else { return troubles.notify(.refused(fault)) }
        waiting[tag]?.observer.fail(Trouble.refused(fault))
    }
}
