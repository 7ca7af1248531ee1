#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A system call that failed: which one, and why.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The `errno` the call left behind.
    public let code: Int32
    /// The name of the call, as its manual page spells it.
    public let call: String

    /// Creates the error of a call that left `code` in `errno`.
    public init(code: Int32, call: String) {
        self.code = code
        self.call = call
    }

    /// Whether there is no such file.
    public var isAboutMissingFile: Bool { code == ENOENT }

    /// A sentence for a person, such as `bind: Address already in use`.
    public var description: String { "\(call): \(reason)" }

    /// The reason alone, such as `Address already in use`.
    public var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let text = buffer.baseAddress, strerror_r(code, text, buffer.count) == 0 else {
                return "Unknown error \(code)"
            }
            return String(cString: text)
        }
    }
}

/// Repeats a call for as long as a signal interrupts it, and returns its result, -1 included.
///
/// For calls whose failure is an outcome rather than an error: the caller looks at `errno`.
@inlinable
public func uninterrupted<Result: FixedWidthInteger & SignedInteger>(
    _ body: () -> Result
) -> Result {
    while true {
        let result = body()
        if result != -1 || errno != EINTR { return result }
    }
}

/// Performs a system call, again whenever a signal interrupts it.
///
/// - Throws: `SystemError` with the name given when the call returns -1.
@inlinable
@discardableResult
public func syscall<Result: FixedWidthInteger & SignedInteger>(
    _ name: StaticString, _ body: () -> Result
) throws(SystemError) -> Result {
    let result = uninterrupted(body)
    if result == -1 { throw SystemError(code: errno, call: name.description) }
    return result
}
