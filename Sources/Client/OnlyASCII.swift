/// Whether a terminal shows ASCII alone, as its user's environment tells.
///
/// That is so in a locale without UTF-8, which is the first of `LC_ALL`, `LC_CTYPE` and `LANG` that
/// is not empty, and on a console whose fonts lack the characters of a chart.
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
