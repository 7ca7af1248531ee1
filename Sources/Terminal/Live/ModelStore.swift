import Bidder
import Reactive

/// The model of a view, which only the store changes, and the frames that show it.
final class ModelStore {
    /// The minimum time between two frames: at most 30 a second.
    private static let framePeriod = Duration.milliseconds(35)

    /// The content of the view.
    private(set) var model: Model
    /// The size of the terminal.
    let size: Subject<Size>

    private let published: Subject<Model>
    private let changes = Subject<Void>(remembering: 0)
    private let bag = SubscriptionBag()
    private var hasUnpublished = false
    private var isFrameDue = true

    /// Makes a store whose first frame is due.
    init(_ model: Model, size: Size, on timeline: Timeline) {
        self.model = model
        self.size = Subject(size)
        published = Subject(model)
        changes.signal.throttle(Self.framePeriod, on: timeline)
            .observe(in: bag) { [unowned self] in isFrameDue = true }
    }

    /// The model after each change; of changes that belong together, after the last one.
    var models: Signal<Model> { published.signal }

    /// Changes the model.
    func update(_ change: (inout Model) -> Void) {
        change(&model)
        publish()
    }

    /// Changes the model as one of several changes, which `endUpdates` ends.
    func updateLater(_ change: (inout Model) -> Void) {
        change(&model)
        hasUnpublished = true
    }

    /// Publishes the model after changes that belong together, if there were any.
    func endUpdates() {
        if hasUnpublished { publish() }
    }

    /// Sets the size of the terminal.
    func resize(to newSize: Size) {
        size.notify(newSize)
        requestFrame()
    }

    /// Takes what draws the frame; nil if none is due.
    func takeDrawing(isASCII: Bool) -> (() -> Frame)? {
        guard isFrameDue, let size = size.value else { return nil }
        isFrameDue = false
        return { [model] in Frame(of: model, size: size, isASCII: isASCII) }
    }

    /// Schedules a frame; it will contain all changes up to then.
    func requestFrame() {
        if !isFrameDue { changes.notify(()) }
    }

    private func publish() {
        hasUnpublished = false
        published.notify(model)
        requestFrame()
    }
}
