import MarbleSupport
import Reactive
import Testing

extension Marbles {
    /// Plays the signal against the expected lines; after that nothing may be left of it.
    ///
    /// It stands here and not in MarbleSupport, which every build compiles, also one that has no
    /// module Testing.
    func expect(
        _ signal: Signal<Character>, until end: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(differences(signal, until: end) == [], sourceLocation: sourceLocation)
    }
}
