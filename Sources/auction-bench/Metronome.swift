import Load
import Posix
import Transport

/// Wakes a loop at each instant of a pace.
///
/// On Linux it is exact to some microseconds; elsewhere to the millisecond in which a loop wakes.
final class Metronome {
    private var pace: Pace
    #if os(Linux)
        private let loop: EventLoop
        private let alarm: Alarm
        private let handle: Handle
        private var setting: Int64?
    #endif

    /// Begins at `start` with so many instants a second.
    ///
    /// - Throws: `SystemError` when there is no descriptor left.
    init(rate: Int, from start: Int64, on loop: EventLoop) throws(SystemError) {
        pace = Pace(rate: rate, from: start)
        #if os(Linux)
            alarm = try Alarm()
            handle = try loop.register(alarm.descriptor, for: .readable)
            self.loop = loop
        #endif
    }

    #if os(Linux)
        deinit {
            loop.deregister(handle)
        }
    #endif

    /// The instant that is due next.
    var next: Int64 { pace.next }

    /// Takes the next instant if it is due; else nil.
    func takeDue(at now: Int64) -> Int64? { pace.takeDue(at: now) }

    /// Makes the loop wake at the next instant, and returns what its turn is to return for that.
    ///
    /// - Throws: `SystemError` when the alarm cannot be set.
    func wind() throws(SystemError) -> Int64 {
        #if os(Linux)
            if setting != pace.next {
                try alarm.set(at: pace.next)
                setting = pace.next
            }
            return .max
        #else
            return pace.next
        #endif
    }
}
