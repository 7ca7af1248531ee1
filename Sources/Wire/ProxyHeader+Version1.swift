import Addresses

extension ProxyHeader {
    /// A line of text such as `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443`.
    enum Version1 {
        static let signature = Array("PROXY ".utf8)
        private static let lineFeed = UInt8(ascii: "\n")
        private static let carriageReturn = UInt8(ascii: "\r")

        static func read(_ bytes: [UInt8]) -> Reading {
            let head = bytes.prefix(longestVersion1)
            guard let end = head.firstIndex(of: lineFeed) else {
                return head.count < longestVersion1 ? .needsMore : .invalid
            }
            let line = bytes[..<max(end - 1, 0)]
            guard end > 0, bytes[end - 1] == carriageReturn,
                line.allSatisfy({ (0x20..<0x7F).contains($0) })
            else { return .invalid }
            let words = String(decoding: line, as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false)
            switch words[1] {
            case "UNKNOWN": return .header(ProxyHeader(length: end + 1, source: nil))
            case "TCP4", "TCP6": break
            default: return .invalid
            }
            guard let source = source(words, isVersion4: words[1] == "TCP4") else {
                return .invalid
            }
            return .header(ProxyHeader(length: end + 1, source: source))
        }

        /// The first of two addresses of the same kind, which two ports follow.
        private static func source(_ words: [Substring], isVersion4: Bool) -> PeerAddress? {
            guard words.count == 6, isPort(words[4]), isPort(words[5]),
                let source = address(words[2], isVersion4),
                address(words[3], isVersion4) != nil
            else { return nil }
            return source
        }

        private static func address(_ word: Substring, _ isVersion4: Bool) -> PeerAddress? {
            word.contains(":") == isVersion4 ? nil : PeerAddress(word)
        }

        private static func isPort(_ word: Substring) -> Bool {
            guard word.utf8.count == 1 || word.first != "0", word.utf8.count <= 5 else {
                return false
            }
            return Int64(digits: word).map { $0 <= 65535 } ?? false
        }
    }
}
