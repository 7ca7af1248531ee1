/// Bars of block characters, drawn to an eighth of a cell.
public enum Bars {
    /// A bar from the left that fills a fraction of its columns, to the nearest eighth of one.
    ///
    /// A fraction below 0, or none at all (NaN), is 0, and one above 1 is 1. `rest` stands where
    /// the bar does not reach, and takes one column.
    public static func horizontal(
        fraction: Double, columns: Int, rest: Character = " "
    ) -> String {
        guard columns > 0, fraction > 0 else {
            return String(repeating: rest, count: max(0, columns))
        }
        let eighths = Int(min(fraction, 1) * Double(columns * 8) + 0.5)
        var bar = String(repeating: "█", count: eighths / 8)
        if eighths % 8 > 0 { bar.append(parts[eighths % 8 - 1]) }
        return bar + String(repeating: rest, count: columns - (eighths + 7) / 8)
    }

    /// A column that fills so many eighths of a cell from below; fewer than 0 are 0, more than 8
    /// are 8.
    public static func vertical(eighths: Int) -> Character {
        levels[max(0, min(8, eighths))]
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    private static let levels: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}
