import Basics

/// Follows the stream by an ordered consumer, which it replaces whenever a message can be missing.
///
/// Each message comes once, in the order of the stream.
struct StreamFollower {
    /// The name of the stream.
    static let stream = "auction"

    private enum Phase {
        case disconnected
        case checkingStream
        case creatingStream
        case creatingConsumer
        case following
    }

    /// How long an answer may take.
    private static let answerTime = Duration.seconds(2)
    /// How long it waits after an error.
    private static let errorTime = Duration.milliseconds(500)
    /// How long a consumer may be silent; it sends a heartbeat each second.
    private static let silenceTime = Duration.seconds(3)

    /// The beginnings of the subjects of answers and of what consumers deliver.
    private let (inbox, feed): (String, String)
    private var phase = Phase.disconnected
    /// When the phase has lasted too long.
    private var due: Instant?
    /// The number of replicas of a stream that it makes; nil if it makes none.
    private var replicas: Int?
    private var requests = 0
    /// The number of the consumer's subscription, which no other consumer has had.
    private var subscription: Int
    private var isSubscribed = false
    /// The number of the last delivery of this consumer.
    private var deliveries = 0
    /// The sequence of the stream's last message when it was looked at; nil if it was not.
    private var target: Int?
    private var commands: [NATSCommand] = []

    /// The sequence of the last message that came.
    private(set) var lastSequence = 0
    /// When it was stored, by the clock of the stream, which never goes back.
    private(set) var lastTime = Instant(nanoseconds: 0)
    /// The last sequence that was received, once all messages that the stream had when the consumer
    /// was created have come; nil before.
    private(set) var caughtUp: Int?
    /// Why nothing comes; nil if nothing is known to be wrong.
    private(set) var problem: String?
    /// Why the stream cannot be used.
    private(set) var failure: LogFailure?

    /// Creates a follower that uses subscription numbers after `subscription`.
    init(inbox: String, feed: String, after subscription: Int) {
        (self.inbox, self.feed, self.subscription) = (inbox, feed, subscription)
    }

    /// When `expire(at:)` is next due.
    var deadline: Instant? { due }

    /// Removes and returns what the server is asked.
    mutating func takeCommands() -> [NATSCommand] {
        defer { commands = [] }
        return commands
    }

    /// Begins with a connection.
    ///
    /// If there is no stream, it makes one with `replicas` replicas; nil to fail instead.
    mutating func connected(replicas: Int?, at now: Instant) {
        self.replicas = replicas
        isSubscribed = false
        checkStream(at: now)
    }

    /// Waits for a connection.
    mutating func disconnected() {
        (phase, due, caughtUp) = (.disconnected, nil, nil)
        commands = []
    }

    /// Ends the subscription.
    mutating func close() {
        unsubscribe()
        (phase, due) = (.disconnected, nil)
    }

    /// Reacts to silence.
    mutating func expire(at now: Instant) {
        guard let due, due <= now else { return }
        switch phase {
        case .disconnected: self.due = nil
        case .checkingStream, .creatingStream, .creatingConsumer: checkStream(at: now)
        case .following: createConsumer(at: now)
        }
    }

    /// Reads the answer to a request.
    mutating func receive(_ answer: NATSMessage, toRequest number: Int, at now: Instant) {
        guard number == requests else { return }
        do throws(JetStreamError) {
            switch phase {
            case .disconnected, .following: break
            case .checkingStream, .creatingStream: try check(StreamInfo(answer), at: now)
            case .creatingConsumer:
                _ = try ConsumerInfo(answer)
                phase = .following
                due = now.advanced(by: Self.silenceTime)
                if let target, lastSequence >= target { caughtUp = lastSequence }
            }
            problem = nil
        } catch {
            if error.isStreamNotFound, lastSequence == 0 {
                guard let replicas else {
                    return fail(
                        "there is no auction on these NATS servers: start a node, or check the "
                            + "addresses and the user")
                }
                phase = .creatingStream
                let stream = StreamConfiguration(
                    name: Self.stream, subjects: StreamBatch.Subject.all, replicas: replicas)
                request(.createStream(stream), at: now)
            } else {
                problem = error.description
                due = now.advanced(by: Self.errorTime)
            }
        }
    }

    /// Reads a message of a consumer; returns its sequence if it is the next of the stream.
    mutating func receive(
        _ message: NATSMessage, subscription: Int, at now: Instant
    ) -> Int? {
        guard subscription == self.subscription, isSubscribed else { return nil }
        if phase == .following { due = now.advanced(by: Self.silenceTime) }
        if let delivery = Delivery(message) { return receive(delivery, at: now) }
        guard let status = ConsumerStatus(message) else {
            // Any other status ends a consumer.
            if message.status != nil { createConsumer(at: now) }
            return nil
        }
        if let answer = status.answer { commands.append(.publish(answer)) }
        guard case .heartbeat(let number, _, let stalled) = status else { return nil }
        if number > deliveries {
            createConsumer(at: now)
        } else if number == deliveries, stalled == nil {
            caughtUp = lastSequence
        }
        return nil
    }

    private mutating func receive(_ delivery: Delivery, at now: Instant) -> Int? {
        guard delivery.consumerSequence > deliveries else { return nil }
        guard delivery.consumerSequence == deliveries + 1 else {
            createConsumer(at: now)
            return nil
        }
        deliveries += 1
        let isNew = delivery.streamSequence > lastSequence
        lastSequence = max(lastSequence, delivery.streamSequence)
        lastTime = max(lastTime, delivery.storedAt)
        if delivery.pending == 0 { caughtUp = lastSequence }
        return isNew ? delivery.streamSequence : nil
    }

    private mutating func checkStream(at now: Instant) {
        phase = .checkingStream
        request(.streamInfo(stream: Self.stream), at: now)
    }

    private mutating func check(_ info: StreamInfo, at now: Instant) {
        let (found, wanted) = (info.configuration, StreamBatch.Subject.all)
        guard Set(found.subjects) == Set(wanted) else {
            return fail(
                "the stream \(Self.stream) has the subjects \(found.subjects.joined(separator: ", "))"
                    + " instead of \(wanted.joined(separator: ", ")), so another program has made "
                    + "it: give the auction an account of its own in NATS")
        }
        guard found.replicas >= replicas ?? 1 else {
            return fail(
                "the stream \(Self.stream) has \(found.replicas) of the \(replicas ?? 1) replicas: "
                    + "run `nats stream edit \(Self.stream) --replicas=\(replicas ?? 1)`")
        }
        guard info.lastSequence >= lastSequence else {
            return fail(
                "the stream \(Self.stream) has lost messages: it ends at \(info.lastSequence),"
                    + " but \(lastSequence) was read; check that each NATS server has "
                    + "`sync_interval: always`")
        }
        target = info.lastSequence
        createConsumer(at: now)
    }

    private mutating func createConsumer(at now: Instant) {
        if phase == .following { target = nil }
        unsubscribe()
        subscription += 1
        (phase, isSubscribed, deliveries, caughtUp) = (.creatingConsumer, true, 0, nil)
        let subject = "\(feed).\(subscription)"
        commands.append(.subscribe(subject, number: subscription))
        request(
            .createConsumer(
                OrderedConsumer(
                    stream: Self.stream, deliverSubject: subject, firstSequence: lastSequence + 1)),
            at: now)
    }

    private mutating func unsubscribe() {
        guard isSubscribed else { return }
        commands.append(.unsubscribe(number: subscription))
        isSubscribed = false
    }

    private mutating func request(_ request: JetStreamRequest, at now: Instant) {
        requests += 1
        due = now.advanced(by: Self.answerTime)
        commands.append(.publish(request.message(reply: "\(inbox).api.\(requests)")))
    }

    private mutating func fail(_ reason: String) {
        failure = LogFailure(reason)
        close()
    }
}
