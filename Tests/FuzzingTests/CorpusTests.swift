import Fuzzing
import Posix
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What the fuzzer begins with, and what it ever found.
@Suite struct CorpusTests {
    /// A file of a corpus, and what reads it.
    struct Sample: CustomTestStringConvertible {
        let target: Target
        let path: String

        var testDescription: String {
            path.split(separator: "/").suffix(2).joined(separator: "/")
        }
    }

    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fuzzing/Corpus"

    private static let samples = Target.allCases.flatMap { target in
        names(in: "\(folder)/\(target)").map {
            Sample(target: target, path: "\(folder)/\(target)/\($0)")
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    @Test("what must hold for any input holds for those of the corpus", arguments: samples)
    func holds(sample: Sample) throws {
        let bytes = try readFile(sample.path, atMost: 1 << 16)
        try sample.target.check(bytes)
    }

    @Test("every target has a corpus", arguments: Target.allCases)
    func isThere(target: Target) {
        #expect(Self.samples.contains { $0.target == target })
    }
}
