import AuctionRules

/// Whether the environment says that the terminal can show only ASCII.
///
/// True for a locale without UTF-8, and for consoles whose fonts lack the characters of the chart.
/// The locale is the first non-empty variable of `LC_ALL`, `LC_CTYPE` and `LANG`.
///
/// Source: POSIX, Environment Variables, 8.2.
public func showsOnlyASCII(environment: (String) -> String?) -> Bool {
    let consoles: Set = ["linux", "vt52", "vt100", "vt102", "vt220", "ansi"]
    if let term = environment("TERM"), consoles.contains(term) { return true }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(environment)
        .first { !$0.isEmpty }?.lowercased()
    guard let locale else { return true }
    return !locale.contains("utf-8") && !locale.contains("utf8")
}

extension Bidder {
    /// Makes a name from a login; nil if no character of the login is allowed in a name.
    ///
    /// Bytes that are not allowed become `-`, or are dropped at the beginning; a long name is cut.
    public init?(login: String) {
        let words = login.utf8.map { byte in
            Bidder([byte].span) == nil ? UInt8(ascii: "-") : byte
        }
        let name = words.drop { $0 == UInt8(ascii: "-") }.prefix(Bidder.longest)
        self.init(Array(name).span)
    }
}
