import Drawing
import Posix
import Testing

/// The screen in every state, compared with how it was approved.
///
/// `UPDATE_GOLDEN=1 swift test --filter GoldenTests` renews the files, for a look at what changed.
@Suite struct GoldenTests {
    @Test("a state looks as it was approved", arguments: Scene.all.flatMap(\.views))
    func looks(_ view: Scene.View) throws {
        let screen = Picture(frame: view.frame).description
        let path = Self.folder + view.file
        guard environmentVariable("UPDATE_GOLDEN") != "1" else {
            try replaceFile(path, with: Array(screen.utf8), mode: 0o644)
            print("renewed \(view.file)")
            return
        }
        guard let approved = Self.text(at: path) else {
            Issue.record("\(view.file) is missing; the screen is\n\(screen)")
            return
        }
        guard approved != screen else { return }
        Issue.record("\(view.file) is\n\(approved)\nbut the screen is\n\(screen)")
    }

    @Test("every state has a name of its own")
    func isUnique() {
        let files = Scene.all.flatMap(\.views).map(\.file)
        #expect(Set(files).count == files.count)
    }

    private static let folder =
        (#filePath.lastIndex(of: "/").map { String(#filePath[...$0]) } ?? "") + "Golden/"

    private static func text(at path: String) -> String? {
        (try? readFile(path, atMost: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
    }
}
