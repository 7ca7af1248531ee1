import Fuzzing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The target named by the environment, which is chosen once.
private let target = {
    guard let name = getenv("FUZZ_TARGET"), let target = Target(rawValue: String(cString: name))
    else { fatalError("FUZZ_TARGET names no target") }
    return target
}()

/// Holds the target's property against an input of the fuzzer, which takes a trap for a find.
///
/// Source: LLVM, "libFuzzer", Fuzz Target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(Violation) {
        try target.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}
