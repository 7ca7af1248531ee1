import AuctionRules
import Drawing
import Reactive
import Typing
import Wire

/// What a bidder sees and does, without I/O: lines, keys and time in, frames and wishes out.
///
/// Whoever has the terminal and the network advances it to the time by its clock before telling it
/// anything, and again no later than at the timeline's next deadline. Then the owner carries out the
/// wishes, and draws the frame if one is due.
public final class LiveView {
    /// There is at most one frame in so much time: never more than 30 in a second.
    static let framePeriod = Duration.milliseconds(35)

    /// A process that is later than this for what is due was stopped, or its machine slept.
    private static let standstill = Duration.seconds(1)

    /// The time of the view, driven by `advance`.
    public let timeline: Timeline
    /// Everything that is seen now.
    public internal(set) var model: Model

    let dialogue: Dialogue
    let link: Link
    let isLive = Subject(false)
    /// Whether time passes as it should.
    let isMoving = Subject(true)
    let lapsLoads = Subject<Signal<[Bid]>>()
    let biddersLoads = Subject<Signal<[Bidder]>>()
    let bag = SubscriptionBag()
    let size: Subject<Size>
    /// Returns the stored token of the name in a game.
    let keptToken: (GameID?) -> String?
    var token: String?
    /// The game that the token belongs to, once `hasGame` is set.
    var game: GameID?
    var hasGame = false
    /// Until when the name may be ours without our knowing, for its answer was lost.
    var nameDoubtEnd: Duration?
    private let wishes = Subject<Wish>()
    private let changes = Subject<Void>()
    private var wished: [Wish] = []
    /// The number of the lot that was heard of last.
    var heardLot: Int?
    /// Whether the user's bid leads, by the news so far.
    var isLeading = false
    /// What the answer on the screen is about.
    var feedbackTopic = FeedbackTopic.other
    /// Why the auctioneer sends us away.
    var kickReason: String?
    private var isOver = false
    private var isFrameDue = true
    private var painter: Painter

    /// Prepares the view of a bidder, or of somebody who only watches, on a terminal of this size.
    ///
    /// `token` returns the stored token of the name; `server` is the address to show. With
    /// `isASCII` the frames contain only ASCII characters. `chance` gives numbers from 0 to 1, each
    /// as likely as any other.
    public init(
        of bidder: Bidder?, token: @escaping (GameID?) -> String?, server: String, size: Size,
        on timeline: Timeline = Timeline(),
        isASCII: Bool = false, chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
        painter = Painter(isASCII: isASCII)
        self.timeline = timeline
        keptToken = token
        self.size = Subject(size)
        model = Model(bidder: bidder, server: server)
        dialogue = Dialogue(on: timeline, wishes: wishes)
        link = Link(on: timeline, backoff: Backoff(chance: chance), wishes: wishes)
        wishes.signal.observe(in: bag) { [unowned self] in
            if !isOver { wished.append($0) }
        }
        dialogue.troubles.signal.observe(in: bag) { [unowned self] in part($0) }
        watchNews()
        changes.signal.throttle(Self.framePeriod, on: timeline)
            .observe(in: bag) { [unowned self] in isFrameDue = true }
    }

    /// Begins to connect.
    public func begin() {
        link.begin()
    }

    /// Makes it this late, and does what is due.
    ///
    /// What moves with a clock is not made up for after a standstill, but goes on from there; so
    /// does the patience with a server whose answers may be there unread.
    public func advance(to time: Duration) {
        let due = timeline.nextDeadline ?? time
        guard time - due > Self.standstill else { return timeline.advance(to: time) }
        isMoving.notify(false)
        dialogue.waitAnew(from: time)
        timeline.advance(to: time)
        isMoving.notify(true)
    }

    /// The connection that was wished for is there.
    public func connected() {
        dialogue.connect()
        dialogue.ask(.format(.json)).observe(in: bag) { [unowned self] _ in
            if link.isConnecting { part(.lost("the server does not greet")) }
        }
    }

    /// The connection, or the attempt to make one, came to nothing.
    public func lost(_ reason: String) {
        lose(.lost(reason))
    }

    /// Hears a line of the server's, without its end.
    public func hear(_ line: String) {
        dialogue.hear(line)
    }

    /// The terminal has another size.
    public func resize(to newSize: Size) {
        size.notify(newSize)
        change()
    }

    /// Takes what is to be done, in order.
    public func takeWishes() -> [Wish] {
        defer { wished.removeAll() }
        return wished
    }

    /// Takes the frame to be drawn; nil if none is due.
    public func takeFrame() -> Frame? {
        guard isFrameDue, let size = size.value else { return nil }
        isFrameDue = false
        return painter.frame(of: model, size: size)
    }

    /// What is seen has changed; all that changes before a frame is taken is in that frame.
    func change() {
        guard !isFrameDue else { return }
        changes.notify(())
    }

    func wish(_ wish: Wish) {
        wishes.notify(wish)
    }

    /// Ends the view; with a complaint if something went wrong.
    func leave(_ code: ExitCode, complaint: String? = nil) {
        wish(.leave(code, complaint: complaint))
        isOver = true
    }
}
