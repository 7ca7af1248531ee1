import Basics
import Testing
import Web

/// The golden codes were read back by two decoders, those of ZXing and OpenCV.
@Suite struct QRCodeTests {
    @Test("the modules of a code are those that readers know")
    func modules() throws {
        let code = try #require(QRCode("http://192.168.1.5:7777/"))
        let rows = (0..<code.size).map { row in
            (0..<code.size).map { code[$0, row] ? "1" : "0" }.joined()
        }
        #expect(
            rows == [
                "1111111000111010001111111",
                "1000001001101011001000001",
                "1011101010010010101011101",
                "1011101010100100001011101",
                "1011101011001110001011101",
                "1000001010111101101000001",
                "1111111010101010101111111",
                "0000000010111001000000000",
                "1011111000110101101111100",
                "1000110101000010010000010",
                "1111111001111111001101011",
                "1001010001100010100010001",
                "0000101100010100001110111",
                "1001000110101010000001010",
                "1000111000100111010101011",
                "1001100100001011000001001",
                "1010101100101100111110100",
                "0000000011000010100011100",
                "1111111001111110101011111",
                "1000001011010011100011001",
                "1011101011111101111111100",
                "1011101010001011101110111",
                "1011101011000110010000101",
                "1000001001110010101111001",
                "1111111011011101011111111",
            ])
    }

    /// The longest texts of all sizes.
    private static let sizes: [(bytes: Int, size: Int, digest: String)] = [
        (14, 21, "8bbd76ceae9e7cc4"), (26, 25, "a40501853b6700d7"), (42, 29, "9f148376f4037508"),
        (62, 33, "4318cd7063c51ccc"), (84, 37, "03c0fe9d34ef5a75"), (106, 41, "c1574372e883dcf3"),
        (122, 45, "f9d5701b8dce3b41"), (152, 49, "17c17d520a0bc946"),
        (180, 53, "d89196a33525ee60"), (213, 57, "af94e95b5442787d"),
        (251, 61, "76ff9623dcd61421"), (287, 65, "1c3a5fbb9007ee6c"),
        (331, 69, "f1138a575ce86942"),
    ]

    @Test("a code has the smallest size that holds its text", arguments: sizes)
    func size(bytes: Int, size: Int, digest: String) throws {
        let text = String(
            ("http://192.168.1.5:7777/rooms/" + String(repeating: "a", count: bytes)).prefix(bytes))
        let code = try #require(QRCode(text))
        #expect(code.size == size)
        let modules = (0..<size).flatMap { row in (0..<size).map { code[$0, row] ? UInt8(1) : 0 } }
        let found = SHA1.digest(of: modules).prefix(8).map { byte in
            (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
        #expect(found.joined() == digest)
        #expect(bytes == QRCode.mostBytes || QRCode(text + "a")?.size == size + 4)
    }

    @Test("a text that is too long has no code")
    func tooLong() {
        #expect(QRCode(String(repeating: "a", count: QRCode.mostBytes + 1)) == nil)
    }

    @Test("the image has each dark module once, within a light border of four modules")
    func image() throws {
        let code = try #require(QRCode("http://192.168.1.5:7777/"))
        let svg = code.svg
        #expect(svg.contains(#"viewBox="0 0 33 33" shape-rendering="crispEdges""#))
        #expect(svg.contains("<path fill=\"#fff\" d=\"M0 0h33v33H0z\"/><path d=\"M4 4h7v1h-7z"))
        let path = try #require(svg.split(separator: "\"").first { $0.hasPrefix("M4 4h") })
        var modules: Set<[Int]> = []
        for run in path.split(separator: "z") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            for column in numbers[0]..<numbers[0] + numbers[2] {
                #expect(modules.insert([column - 4, numbers[1] - 4]).inserted)
            }
        }
        #expect(modules.allSatisfy { code[$0[0], $0[1]] })
        let dark = (0..<code.size).map { row in (0..<code.size).count { code[$0, row] } }
        #expect(modules.count == dark.reduce(0, +))
    }

    @Test("the lines for a terminal have two rows each, black on white, and a light border")
    func terminal() throws {
        let code = try #require(QRCode("http://192.168.1.5:7777/"))
        let lines = code.terminalLines
        #expect(lines.count == (25 + 1 + 8) / 2)
        let prefix = "\u{1B}[38;5;16;48;5;231m"
        #expect(lines.allSatisfy { $0.hasPrefix(prefix) && $0.hasSuffix("\u{1B}[0m") })
        let blocks = lines.map { $0.dropFirst(prefix.count).dropLast(4) }
        #expect(blocks.allSatisfy { $0.count == 33 })
        #expect(blocks[0].allSatisfy { $0 == " " } && blocks[1].allSatisfy { $0 == " " })
        #expect(blocks[2].hasPrefix("    █▀▀▀▀▀█ ") && blocks[5].hasPrefix("    ▀▀▀▀▀▀▀ "))
        #expect(blocks[14].hasSuffix("▀    "))
    }
}
