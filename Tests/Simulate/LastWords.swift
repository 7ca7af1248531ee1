#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the process says when a precondition of the server ends it: the seed that was played.
///
/// Unsafe, as a handler of signals may use nothing that could be locked or allocated; there is one
/// thread, which changes it between two seeds.
private nonisolated(unsafe) let words = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 64, alignment: 1)
private nonisolated(unsafe) var length = 0
private nonisolated(unsafe) let before = UnsafeMutablePointer<sigaction>.allocate(capacity: 2)
private let traps = [SIGILL, SIGTRAP]

/// Names the seed on standard error should the process trap from now on, and then lets happen what
/// would have happened.
func prepareLastWords() {
    for (index, trap) in traps.enumerated() {
        sigaction(trap, nil, before + index)
        signal(trap) { number in
            write(STDERR_FILENO, words.baseAddress, length)
            sigaction(number, before + (number == SIGILL ? 0 : 1), nil)
        }
    }
}

/// Notes the seed that is played now.
func noteForLastWords(seed: UInt64) {
    let text = "\nseed \(seed) ends the process\n"
    words.copyBytes(from: text.utf8)
    length = text.utf8.count
}
