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
