/// A QR code: a square of dark and light modules that a phone's camera reads as a text.
///
/// The text is encoded as bytes, and errors in about 15 % of the code can be corrected (level M).
/// Source: ISO/IEC 18004.
public struct QRCode: Equatable, Sendable {
    /// The longest text, in bytes of UTF-8.
    public static let mostBytes = 331

    /// The width of the light border that readers need, in modules.
    private static let quietZone = 4

    /// The number of modules of a row, and of rows.
    public let size: Int
    private var modules: [Bool]
    /// The modules of the fixed patterns, which hold no data and are not masked.
    private var isFixed: [Bool]

    /// Encodes a text in the smallest code that holds it; nil if the text is too long.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version.all.first(where: { bytes.count <= $0.mostBytes }) else {
            return nil
        }
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isFixed = modules
        drawFixedPatterns(of: version)
        draw(version.codewords(for: bytes))
        chooseMask()
    }

    /// Whether the module at a column and a row is dark; false outside of the code.
    public subscript(column: Int, row: Int) -> Bool {
        guard 0..<size ~= column, 0..<size ~= row else { return false }
        return modules[row * size + column]
    }

    // Drawing

    private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
        modules[row * size + column] = isDark
        isFixed[row * size + column] = true
    }

    private mutating func drawFixedPatterns(of version: Version) {
        for index in 0..<size {
            fix(6, index, index % 2 == 0)
            fix(index, 6, index % 2 == 0)
        }
        for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(column, row) }
        let centres = version.alignmentCentres
        for row in centres {
            for column in centres where !isOfFinder(column, row) { drawAlignment(column, row) }
        }
        drawFormat(mask: 0)
        drawVersion(version.number)
    }

    private mutating func drawFinder(_ centreColumn: Int, _ centreRow: Int) {
        for row in max(0, centreRow - 4)...min(size - 1, centreRow + 4) {
            for column in max(0, centreColumn - 4)...min(size - 1, centreColumn + 4) {
                let distance = max(abs(column - centreColumn), abs(row - centreRow))
                fix(column, row, distance != 2 && distance != 4)
            }
        }
    }

    private func isOfFinder(_ column: Int, _ row: Int) -> Bool {
        (column == 6 || column == size - 7) && (row == 6 || row == size - 7)
            && !(column == size - 7 && row == size - 7)
    }

    private mutating func drawAlignment(_ centreColumn: Int, _ centreRow: Int) {
        for row in -2...2 {
            for column in -2...2 {
                fix(centreColumn + column, centreRow + row, max(abs(column), abs(row)) != 1)
            }
        }
    }

    /// Draws the level and the mask, twice; level M is 0.
    private mutating func drawFormat(mask: Int) {
        let bits = (mask << 10 | Self.remainder(of: mask << 10, by: 0x537)) ^ 0x5412
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            let place = index < 6 ? index : index < 8 ? index + 1 : size - 15 + index
            fix(8, place, isDark)
            fix(index < 8 ? size - 1 - index : index < 9 ? 7 : 14 - index, 8, isDark)
        }
        fix(8, size - 8, true)
    }

    /// Draws the number of the version, twice; codes below version 7 do not have it.
    private mutating func drawVersion(_ number: Int) {
        guard number >= 7 else { return }
        let bits = number << 12 | Self.remainder(of: number << 12, by: 0x1F25)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            fix(size - 11 + index % 3, index / 3, isDark)
            fix(index / 3, size - 11 + index % 3, isDark)
        }
    }

    /// The remainder of a division of polynomials over the field of two elements.
    private static func remainder(of value: Int, by divisor: Int) -> Int {
        var rest = value
        while rest.leadingZeroBitCount <= divisor.leadingZeroBitCount {
            rest ^= divisor << (divisor.leadingZeroBitCount - rest.leadingZeroBitCount)
        }
        return rest
    }

    /// Draws the bits of the data in pairs of columns, upwards and downwards, from the right.
    private mutating func draw(_ codewords: [UInt8]) {
        var next = 0
        for pair in 0..<(size - 1) / 2 {
            var right = size - 1 - 2 * pair
            // The column of the timing pattern belongs to no pair.
            if right <= 6 { right -= 1 }
            for step in 0..<size {
                let row = pair % 2 == 0 ? size - 1 - step : step
                for column in [right, right - 1] where !isFixed[row * size + column] {
                    guard next < 8 * codewords.count else { return }
                    modules[row * size + column] =
                        codewords[next / 8] >> (7 - next % 8) & 1 == 1
                    next += 1
                }
            }
        }
    }

    // The mask

    private static let masks = 8

    /// Applies the mask with the smallest penalty.
    private mutating func chooseMask() {
        let masked = (0..<Self.masks).map { mask in
            var code = self
            code.drawFormat(mask: mask)
            code.invert(by: mask)
            return (code: code, penalty: code.penalty)
        }
        guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return }
        self = best.code
    }

    private mutating func invert(by mask: Int) {
        for row in 0..<size {
            for column in 0..<size where !isFixed[row * size + column] {
                let isInverted =
                    switch mask {
                    case 0: (column + row) % 2 == 0
                    case 1: row % 2 == 0
                    case 2: column % 3 == 0
                    case 3: (column + row) % 3 == 0
                    case 4: (column / 3 + row / 2) % 2 == 0
                    case 5: column * row % 2 + column * row % 3 == 0
                    case 6: (column * row % 2 + column * row % 3) % 2 == 0
                    default: ((column + row) % 2 + column * row % 3) % 2 == 0
                    }
                if isInverted { modules[row * size + column].toggle() }
            }
        }
    }

    /// How hard the code is to read: long runs, blocks, likenesses of finders, and imbalance.
    private var penalty: Int {
        var penalty = 0
        for line in 0..<size {
            penalty += Self.penalty(ofLine: (0..<size).map { self[$0, line] })
            penalty += Self.penalty(ofLine: (0..<size).map { self[line, $0] })
        }
        for row in 0..<size - 1 {
            for column in 0..<size - 1 {
                let first = self[column, row]
                if self[column + 1, row] == first, self[column, row + 1] == first,
                    self[column + 1, row + 1] == first
                {
                    penalty += 3
                }
            }
        }
        let dark = modules.count { $0 }
        return penalty + abs(dark * 20 - modules.count * 10) / modules.count * 10
    }

    private static func penalty(ofLine line: [Bool]) -> Int {
        var (penalty, run, bits) = (0, 0, 0)
        for (index, isDark) in line.enumerated() {
            run = index > 0 && isDark == line[index - 1] ? run + 1 : 1
            if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
            bits = (bits << 1 | (isDark ? 1 : 0)) & 0x7FF
            // A finder's 1:1:3:1:1 with four light modules on one side.
            if index >= 10, bits == 0b101_1101_0000 || bits == 0b000_0101_1101 { penalty += 40 }
        }
        return penalty
    }
}

extension QRCode {
    /// The code as an SVG image of one path on a white ground.
    public var svg: String {
        let width = size + 2 * Self.quietZone
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                let start = column
                while self[column, row] { column += 1 }
                if column > start {
                    let place = "\(start + Self.quietZone) \(row + Self.quietZone)"
                    path += "M\(place)h\(column - start)v1h-\(column - start)z"
                } else {
                    column += 1
                }
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(width)" \
            shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(width)v\(width)H0z"/>\
            <path d="\(path)"/></svg>

            """
    }

    /// The code as lines for a terminal, each of two rows of modules, black on white in any theme.
    public var terminalLines: [String] {
        let columns = -Self.quietZone..<size + Self.quietZone
        return stride(from: columns.lowerBound, to: columns.upperBound, by: 2).map { row in
            let blocks = columns.map { column in
                switch (self[column, row], self[column, row + 1]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            // Colours of the 256, as a theme may show the first 16 otherwise.
            return "\u{1B}[38;5;16;48;5;231m\(blocks.joined())\u{1B}[0m"
        }
    }
}

/// The properties of the codes of one size, from 1.
private struct Version {
    /// The check bytes of each block, by version.
    private static let checks = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22]
    /// The number of blocks, by version.
    private static let blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9]

    static let all = (1...checks.count).map(Version.init)

    let number: Int

    var size: Int { 17 + 4 * number }

    /// The columns, and rows, of the centres of the alignment patterns.
    var alignmentCentres: [Int] {
        guard number > 1 else { return [] }
        let last = size - 7
        guard number >= 7 else { return [6, last] }
        return [6, (6 + last) / 4 * 2, last]
    }

    /// The bytes of data and checks that fit between the fixed patterns.
    private var totalBytes: Int {
        var modules = (16 * number + 128) * number + 64
        if number >= 2 {
            let patterns = number / 7 + 2
            modules -= (25 * patterns - 10) * patterns - 55
        }
        if number >= 7 { modules -= 36 }
        return modules / 8
    }

    private var blocks: Int { Self.blocks[number - 1] }
    private var checks: Int { Self.checks[number - 1] }
    private var dataBytes: Int { totalBytes - blocks * checks }

    /// The bits of a text's length.
    private var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The longest text, in bytes.
    var mostBytes: Int { dataBytes - (4 + lengthBits + 7) / 8 }

    /// The bytes of a code for a text: data in interleaved blocks, and their check bytes.
    func codewords(for text: [UInt8]) -> [UInt8] {
        let data = data(for: text)
        let short = data.count / blocks
        let longBlocks = data.count % blocks
        var start = 0
        let parts = (0..<blocks).map { block in
            let length = short + (block < blocks - longBlocks ? 0 : 1)
            defer { start += length }
            return Array(data[start..<start + length])
        }
        let field = GaloisField()
        let divisor = field.divisor(degree: checks)
        let checkParts = parts.map { field.remainder(of: $0, by: divisor) }
        return interleaved(parts) + interleaved(checkParts)
    }

    /// The mode, the length, the text and the padding.
    private func data(for text: [UInt8]) -> [UInt8] {
        // The mode is half a byte, so each byte of the text lies across two.
        let head = lengthBits == 8 ? [text.count] : [text.count >> 8, text.count & 0xFF]
        let bytes = head.map { UInt8($0) } + text + [0]
        var data = [0x40 | bytes[0] >> 4]
        for (byte, next) in zip(bytes, bytes.dropFirst()) { data.append(byte << 4 | next >> 4) }
        for index in 0..<dataBytes - data.count { data.append(index % 2 == 0 ? 0xEC : 0x11) }
        return data
    }

    private func interleaved(_ parts: [[UInt8]]) -> [UInt8] {
        let longest = parts.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in
            parts.compactMap { index < $0.count ? $0[index] : nil }
        }
    }
}

/// Reed-Solomon codes over the field of 256 elements with the polynomial 0x11D.
private struct GaloisField {
    private var powers: [UInt8] = []
    private var logarithms = Array(repeating: 0, count: 256)

    init() {
        var power = 1
        for exponent in 0..<255 {
            powers.append(UInt8(power))
            logarithms[power] = exponent
            power <<= 1
            if power > 0xFF { power ^= 0x11D }
        }
    }

    private func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        guard first != 0, second != 0 else { return 0 }
        return powers[(logarithms[Int(first)] + logarithms[Int(second)]) % 255]
    }

    /// The coefficients of the divisor, the highest first, without the leading 1.
    func divisor(degree: Int) -> [UInt8] {
        var divisor = Array(repeating: UInt8(0), count: degree - 1) + [1]
        for exponent in 0..<degree {
            for index in 0..<degree {
                let next = index + 1 < degree ? divisor[index + 1] : 0
                divisor[index] = product(divisor[index], powers[exponent]) ^ next
            }
        }
        return divisor
    }

    /// The check bytes of a block.
    func remainder(of data: [UInt8], by divisor: [UInt8]) -> [UInt8] {
        var rest = Array(repeating: UInt8(0), count: divisor.count)
        for byte in data {
            let factor = byte ^ rest.removeFirst()
            rest.append(0)
            for index in rest.indices { rest[index] ^= product(divisor[index], factor) }
        }
        return rest
    }
}
