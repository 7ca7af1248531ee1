import Bidder
import Terminal
import Testing

@Suite struct ScreenTests {
    @Test("in ASCII mode every state is drawn in ASCII", arguments: Scene.all)
    func isASCII(scene: Scene) {
        let model = scene.play(Size(columns: 80, rows: 24)).view.model
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)] {
            let frame = Frame(of: model, size: size, isASCII: true)
            #expect(frame.lines.joined().utf8.allSatisfy { $0 < 0x80 })
            #expect(frame.cursor == Frame(of: model, size: size).cursor)
        }
    }
}
