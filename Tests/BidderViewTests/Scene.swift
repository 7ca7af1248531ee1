import Drawing
import Testing

/// A state of the view, brought about as in life: by what the server says, keys and time.
struct Scene: Sendable {
    let name: String
    var sizes = [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)]
    let play: @Sendable (Size) -> Stage

    /// The state on a terminal of each size.
    var views: [View] { sizes.map { View(scene: self, size: $0) } }

    /// A state on a terminal of one size.
    struct View: CustomTestStringConvertible, Sendable {
        let scene: Scene
        let size: Size

        var file: String { "\(scene.name)-\(size.columns)x\(size.rows).txt" }
        var testDescription: String { file }

        /// What is drawn there.
        var frame: Frame {
            let stage = scene.play(size)
            _ = stage.screen
            return stage.frame
        }
    }

    static let all = connections + lots + endings + inputs + extremes
}
