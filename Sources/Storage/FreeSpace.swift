import Posix

/// The free space of a disk, with a warning before it is used up.
package struct FreeSpace {
    /// Nanoseconds between two looks at the disk.
    private static let interval: Int64 = 5_000_000_000

    private let disk: any Disk
    /// The bytes that were free at first; nil if the disk does not tell.
    private let atStart: Int?
    /// The bytes that were free when it was looked at last; nil if the disk does not tell.
    package private(set) var bytes: Int?
    private var nextLook: Int64
    private var isLow = false

    /// Looks at a disk; `now` is of a monotonic clock, in nanoseconds.
    package init(of disk: any Disk, at now: Int64) {
        self.disk = disk
        atStart = try? disk.freeBytes()
        (bytes, nextLook) = (atStart, now + Self.interval)
    }

    /// Looks again after a while, and returns a warning, once, when less than 20 % is left.
    ///
    /// The next warning can follow when 25 % was free in between.
    package mutating func check(at now: Int64) -> Upkeep? {
        guard now >= nextLook, let atStart else { return nil }
        nextLook = now + Self.interval
        bytes = try? disk.freeBytes()
        guard let bytes else { return nil }
        let wasLow = isLow
        isLow = bytes < (isLow ? atStart / 4 : atStart / 5)
        return isLow && !wasLow ? .diskNearlyFull(free: bytes, atStart: atStart) : nil
    }
}
