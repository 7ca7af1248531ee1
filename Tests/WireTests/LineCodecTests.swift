import Testing
import Wire

@Suite struct LineCodecTests {
    /// What bytes mean, in words, given in pieces of a size.
    private func inputs(_ bytes: [UInt8], by size: Int = .max) -> [String] {
        var (codec, words): (LineCodec, [String]) = (LineCodec(limit: 64), [])
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            let used = codec.receive(piece.span, while: { true }) { words.append("\($0)") }
            #expect(used == piece.count)
            rest = rest.dropFirst(piece.count)
        }
        codec.finish { words.append("\($0)") }
        return words
    }

    private func inputs(_ text: String, by size: Int = .max) -> [String] {
        inputs(Array(text.utf8), by: size)
    }

    @Test(
        "bytes mean the same however they are split",
        arguments: [
            "name alice\r\nbid 120\n\nlaps 3\n", "#t bid x\nnonsense\nping",
            String(repeating: "x", count: 200) + "\nping\n", "\u{16}ping\nping\n",
        ])
    func pieces(text: String) {
        let whole = inputs(text)
        #expect(!whole.isEmpty)
        for size in [1, 2, 7] { #expect(inputs(text, by: size) == whole) }
    }

    @Test("a browser is recognized, and no header of it is a command", arguments: [1, 3, 1000])
    func browser(size: Int) {
        let first = inputs("GET / HTTP/1.1\r\nping: x\r\n\r\n", by: size).first
        #expect(first == "\(LineCodec.Input.foreign(.http))")
    }

    @Test("a browser with a long line is recognized, too")
    func longBrowserLine() {
        let line = "GET /" + String(repeating: "a", count: 200) + " HTTP/1.1\n"
        #expect(inputs(line).first == "\(LineCodec.Input.foreign(.http))")
    }

    @Test(
        "a TLS handshake is recognized, and nothing of it is read as lines", arguments: [1, 2, 99])
    func handshake(size: Int) {
        let hello: [UInt8] = [0x16, 0x03, 0x01] + Array("\nping\n".utf8)
        var (codec, words): (LineCodec, [String]) = (LineCodec(), [])
        for piece in stride(from: 0, to: hello.count, by: size) where words.isEmpty {
            let bytes = Array(hello[piece...].prefix(size))
            _ = codec.receive(bytes.span, while: { true }) { words.append("\($0)") }
        }
        #expect(words == ["\(LineCodec.Input.foreign(.tls))"])
    }

    @Test("a first byte that could begin a handshake is part of the line when it does not")
    func heldByte() {
        #expect(inputs([0x16]).count == 1)
        #expect(inputs("\u{16}ping\n").count == 1)
    }

    @Test("input that is not wanted yet is given again, and means the same")
    func unwanted() {
        var (codec, words): (LineCodec, [String]) = (LineCodec(), [])
        let bytes = Array("ping\nhelp\n".utf8)
        let used = codec.receive(bytes.span, while: { words.isEmpty }) { words.append("\($0)") }
        #expect(used == 5)
        let rest = Array(bytes[used...])
        _ = codec.receive(rest.span, while: { true }) { words.append("\($0)") }
        #expect(words == inputs("ping\nhelp\n"))
    }
}
