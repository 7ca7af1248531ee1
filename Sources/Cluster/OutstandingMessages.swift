import Basics

/// Messages to the stream whose outcome is not known.
///
/// NATS stores a message only if the last message of its subject is the expected one. A message is
/// sent again until it is stored, or another message has taken its place.
struct OutstandingMessages<Purpose> {
    /// How long to wait for an answer before a message is sent again.
    private static var answerTime: Duration { .seconds(2) }
    /// How long to wait after an error before a message is sent again.
    private static var errorTime: Duration { .milliseconds(250) }

    /// A message that has not been sent.
    struct Draft {
        let subject: StreamBatch.Subject
        let kind: StreamHeaders.Kind
        let body: [UInt8]
        /// The sequence of the message of the same subject before it; 0 if it is the first.
        let previous: Int
        /// Since when something waits for it.
        let since: Instant
    }

    /// A message whose outcome is known.
    struct Settled {
        /// The number that `begin` returned.
        let number: Int
        let subject: StreamBatch.Subject
        let purpose: Purpose
        /// The sequence that it expected.
        let previous: Int
        /// Its sequence, or that of the message that has taken its place.
        let sequence: Int
        let isStored: Bool
    }

    private struct Message {
        let subject: StreamBatch.Subject
        let purpose: Purpose
        let headers: StreamHeaders
        let publication: NATSMessage
        let since: Instant
        /// When it is sent again.
        var due: Instant
    }

    private let sender: NodeInstance
    /// The beginning of the subjects of answers.
    private let inbox: String
    private var messages: [Int: Message] = [:]
    private var count = 0
    private var bySubject: [StreamBatch.Subject: [Int]] = [:]
    private var timers = TimerQueue<Int, Instant>()
    private var isConnected = false
    private var commands: [NATSCommand] = []

    /// Why the stream stores nothing; nil if nothing is known to be wrong.
    private(set) var problem: String?

    /// Begins without messages; answers come to `INBOX.ack.NUMBER` and `INBOX.get.NUMBER`.
    init(of sender: NodeInstance, inbox: String) {
        (self.sender, self.inbox) = (sender, inbox)
    }

    /// The earliest `since` of the messages; nil if there are none.
    var waitingSince: Instant? { messages.values.lazy.map(\.since).min() }

    /// When `expire(at:)` is next due.
    var deadline: Instant? { timers.deadline }

    /// Removes and returns what the server is asked.
    mutating func takeCommands() -> [NATSCommand] {
        defer { commands = [] }
        return commands
    }

    // MARK: The connection

    /// Sends all messages over a new connection, in the order in which they were begun.
    mutating func connected(at now: Instant) {
        isConnected = true
        for number in messages.keys.sorted() { send(number, at: now) }
    }

    /// Keeps all messages for the next connection.
    mutating func disconnected() {
        (isConnected, commands) = (false, [])
    }

    /// Sends nothing more, except the commands that were not taken.
    mutating func close() {
        isConnected = false
    }

    /// Sends again what was not answered in time.
    mutating func expire(at now: Instant) {
        while let number = timers.popDue(at: now) {
            guard let message = messages[number], message.due <= now else { continue }
            send(number, at: now)
        }
    }

    // MARK: Messages

    /// Sends a message, and returns its number; the numbers are in order.
    mutating func begin(_ draft: Draft, for purpose: Purpose, at now: Instant) -> Int {
        count += 1
        let headers = StreamHeaders(
            sender: sender, kind: draft.kind, number: count, previous: draft.previous)
        var publication = headers.message(draft.subject, draft.body)
        publication.reply = "\(inbox).ack.\(count)"
        messages[count] = Message(
            subject: draft.subject, purpose: purpose, headers: headers, publication: publication,
            since: draft.since, due: now)
        bySubject[draft.subject, default: []].append(count)
        send(count, at: now)
        return count
    }

    /// Forgets a message, which may be stored all the same.
    mutating func remove(_ number: Int) {
        _ = settle(number, at: 0, isStored: false)
    }

    /// Forgets all messages.
    mutating func removeAll() {
        (messages, bySubject, timers) = ([:], [:], TimerQueue())
    }

    private mutating func send(_ number: Int, at now: Instant) {
        guard isConnected, let message = messages[number] else { return }
        commands.append(.publish(message.publication))
        retry(number, at: now.advanced(by: Self.answerTime))
    }

    private mutating func retry(_ number: Int, at time: Instant) {
        messages[number]?.due = time
        timers.insert(number, due: time)
    }

    private mutating func settle(_ number: Int, at sequence: Int, isStored: Bool) -> Settled? {
        guard let message = messages.removeValue(forKey: number) else { return nil }
        bySubject[message.subject]?.removeAll { $0 == number }
        if bySubject[message.subject]?.isEmpty == true { bySubject[message.subject] = nil }
        return Settled(
            number: number, subject: message.subject, purpose: message.purpose,
            previous: message.headers.previous, sequence: sequence, isStored: isStored)
    }

    // MARK: Outcomes

    /// Reads the answer to a message; returns the message if it is stored.
    mutating func receive(
        acknowledgement answer: NATSMessage, of number: Int, at now: Instant
    ) -> Settled? {
        guard let message = messages[number] else { return nil }
        do throws(JetStreamError) {
            let sequence = try PublishAck(answer).sequence
            problem = nil
            return settle(number, at: sequence, isStored: true)
        } catch {
            guard error.isWrongLastSequence else {
                problem = error.description
                retry(number, at: now.advanced(by: Self.errorTime))
                return nil
            }
            let request = JetStreamRequest.lastMessage(
                subject: message.subject.text, stream: StreamFollower.stream)
            commands.append(.publish(request.message(reply: "\(inbox).get.\(number)")))
            retry(number, at: now.advanced(by: Self.answerTime))
            return nil
        }
    }

    /// Reads the last message of the subject after a refusal; it may be the refused message itself.
    mutating func receive(
        lastMessage answer: NATSMessage, for number: Int, at now: Instant
    ) -> Settled? {
        guard let message = messages[number] else { return nil }
        do throws(JetStreamError) {
            let last = try StoredMessage(answer)
            if StreamHeaders.id(of: last.message) == message.headers.id {
                return settle(number, at: last.sequence, isStored: true)
            }
            // This message can be stored before the last one. The consumer delivers the message
            // that decides: the first one after the expected one.
        } catch {
            if !error.isNoMessageFound { problem = error.description }
        }
        retry(number, at: now.advanced(by: Self.errorTime))
        return nil
    }

    /// Notes a message of the stream; returns the messages that it is, or whose place it has taken.
    mutating func follow(
        _ subject: StreamBatch.Subject, _ headers: StreamHeaders, at sequence: Int
    ) -> [Settled] {
        (bySubject[subject] ?? []).compactMap { number in
            guard let message = messages[number], message.headers.previous < sequence else {
                return nil
            }
            return settle(number, at: sequence, isStored: message.headers.id == headers.id)
        }
    }
}
