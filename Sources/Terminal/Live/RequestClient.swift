import Bidder
import Reactive
import Wire

/// The requests of a live view as signals, and the news as events.
///
/// Uses JSON, because only JSON has the time left in milliseconds.
final class RequestClient {
    /// An answer, with the messages of its data.
    struct Reply {
        let answer: Answer
        let data: [ServerMessage]
    }

    private final class PendingRequest {
        let observer: Signal<Reply>.Observer
        var timeout: Subscription

        init(_ observer: Signal<Reply>.Observer, timeout: Subscription) {
            self.observer = observer
            self.timeout = timeout
        }
    }

    /// The time in which the server must answer.
    private static let answerTimeout = Duration.seconds(5)

    /// The greeting and the news, each with what its line says about it.
    let news = Subject<(message: ServerMessage, stamp: NewsStamp)>(remembering: 0)
    /// The number of lines that could not be parsed.
    private(set) var unreadableLines = 0
    /// The errors after which the connection is of no use.
    let errors = Subject<ClientError>(remembering: 0)

    private let timeline: Timeline
    private let effects: Subject<ClientEffect>
    private var pipeline = RequestPipeline<PendingRequest>()
    private var isConnected = false
    private var lastTag = 0

    /// Makes a client without a connection; `effects` gets the lines to send.
    init(on timeline: Timeline, effects: Subject<ClientEffect>) {
        self.timeline = timeline
        self.effects = effects
    }

    /// Begins on a new connection.
    func connect() {
        pipeline = RequestPipeline()
        isConnected = true
    }

    /// Ends with the connection; all pending requests fail.
    func disconnect(_ error: ClientError) {
        isConnected = false
        let requests = pipeline.contexts
        pipeline = RequestPipeline()
        for request in requests { request.observer.fail(error) }
    }

    /// The reply to a command, which is sent when the signal is observed.
    ///
    /// Fails with a `ClientError`.
    func request(_ command: Request.Command) -> Signal<Reply> {
        Signal { [self] observer in
            guard isConnected else { return observer.fail(ClientError.lost("not connected")) }
            lastTag += 1
            let tag = "\(lastTag)"
            pipeline.add(PendingRequest(observer, timeout: timeout(from: timeline.now)), tag: tag)
            observer.hold(Subscription { self.pipeline.remove(tag: tag) })
            effects.notify(.send(Request(command, tag: tag).description))
        }
    }

    /// Restarts all timeouts at a time before which the process could not receive.
    func restartTimeouts(at time: Duration) {
        for request in pipeline.contexts { request.timeout = timeout(from: time) }
    }

    private func timeout(from start: Duration) -> Subscription {
        timeline.schedule(at: start + Self.answerTimeout) { [unowned self] in
            errors.notify(.lost("the server does not answer"))
        }
    }

    /// Handles a line without its line end.
    func receive(_ text: String) {
        guard isConnected else { return }
        let format = pipeline.format
        let (line, event) = pipeline.receive(text)
        switch event {
        case .greeting:
            if let message = line.message { news.notify((message, line.stamp)) }
        case .news: receiveNews(line, format)
        case .data: break
        case .answered(let answer, let data, let request):
            request?.observer.next(Reply(answer: answer, data: data.compactMap(\.message)))
            request?.observer.complete()
        // An error without a tag, as from a full server, is about the connection.
        case .refused(let error, nil, _): errors.notify(.refused(error))
        case .refused(let error, _, let request):
            request?.observer.fail(ClientError.refused(error))
        case .closing(let reason): errors.notify(.closed(reason))
        }
    }

    /// Ignores news before the format is JSON, because `status` repeats the snapshot.
    private func receiveNews(_ line: ReceivedLine, _ format: Format) {
        switch (format, line.message) {
        case (.text, nil): errors.notify(.lost("this is no auction/1 server: \(line.text)"))
        case (.json, let message?): news.notify((message, line.stamp))
        case (.json, nil): unreadableLines += 1
        case (.text, _): break
        }
    }
}
