import Journal
import Posix

/// The files of a journal, made of an input that may leave sums open.
///
/// A line `@17` begins the file whose first event is 17. Where `????????` stands for a sum, or for
/// the one behind `after=`, the right one is put, so that whatever else is in a line gets past it.
struct ForgedFolder {
    private(set) var files: [String: [UInt8]] = [:]
    private var name = Self.fileName("1")
    private var sum = Array("00000000".utf8)

    private static let open = Array("????????".utf8)
    private static let lineFeed = UInt8(ascii: "\n")

    init(_ input: [UInt8]) {
        let lines = input.split(separator: Self.lineFeed, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let name = Self.segment(line) {
                self.name = name
                files[name] = []
            } else {
                let isLast = index == lines.count - 1
                files[name, default: []] += sealed(Array(line)) + (isLast ? [] : [Self.lineFeed])
            }
        }
    }

    private static func fileName(_ digits: String) -> String {
        String(repeating: "0", count: 12 - digits.count) + digits + ".journal"
    }

    /// The name of the file that a line begins; nil if it is another line.
    private static func segment(_ line: ArraySlice<UInt8>) -> String? {
        guard line.first == UInt8(ascii: "@"), 2...13 ~= line.count,
            line.dropFirst().allSatisfy({ 48...57 ~= $0 })
        else { return nil }
        return fileName(String(decoding: line.dropFirst(), as: UTF8.self))
    }

    /// The line with the sums that it leaves open.
    private mutating func sealed(_ line: [UInt8]) -> [UInt8] {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space + 9 < line.count else {
            return line
        }
        var line = line
        let field = Array("after=".utf8) + Self.open
        for start in line.indices.dropLast(field.count - 1)
        where line[start...].starts(with: field) {
            line.replaceSubrange(start + field.count - 8..<start + field.count, with: sum)
        }
        let place = space + 1..<space + 9
        if line[place].elementsEqual(Self.open) {
            let covered = line[...space] + line[(space + 10)...]
            line.replaceSubrange(place, with: digits(of: sum + [UInt8(ascii: " ")] + covered))
        }
        sum = Array(line[place])
        return line
    }

    private func digits(of bytes: [UInt8]) -> [UInt8] {
        let register = bytes.withUnsafeBytes { CRC32C().extend(CRC32C.start, by: $0) }
        let digits = String(~register, radix: 16)
        return Array((String(repeating: "0", count: 8 - digits.count) + digits).utf8)
    }
}
