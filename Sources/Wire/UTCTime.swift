/// The text of a time of day: RFC 3339 in UTC, with milliseconds.
package enum UTCTime {
    /// The times that can be printed and parsed: 1970 to 9999.
    package static let bounds: ClosedRange<Int64> = 0...253_402_300_799_999

    /// Appends a time in milliseconds since 1970, such as `2026-11-20T10:00:00.000Z`.
    ///
    /// A time outside these bounds, from a wrong clock, is clamped.
    package static func append(millisecondsSince1970 time: Int64, to bytes: inout [UInt8]) {
        bytes.appendBuffered { append(millisecondsSince1970: time, to: &$0) }
    }

    /// Appends the time to a buffer.
    package static func append(millisecondsSince1970 time: Int64, to bytes: inout LineBuffer) {
        let milliseconds = min(max(time, bounds.lowerBound), bounds.upperBound)
        let (year, month, day) = date(daysSince1970: milliseconds / 86_400_000)
        let ofDay = milliseconds % 86_400_000
        bytes.append(year, width: 4)
        bytes.append("-")
        bytes.append(month, width: 2)
        bytes.append("-")
        bytes.append(day, width: 2)
        bytes.append("T")
        bytes.append(ofDay / 3_600_000, width: 2)
        bytes.append(":")
        bytes.append(ofDay / 60_000 % 60, width: 2)
        bytes.append(":")
        bytes.append(ofDay / 1_000 % 60, width: 2)
        bytes.append(".")
        bytes.append(ofDay % 1_000, width: 3)
        bytes.append("Z")
    }

    /// Parses a time as it is printed; nil if it is not a time.
    static func parse(_ word: some StringProtocol) -> Int64? {
        let parts = word.split { "-T:.Z".contains($0) }
        guard parts.map(\.utf8.count) == [4, 2, 2, 2, 2, 2, 3] else { return nil }
        let numbers = parts.compactMap { Int64(digits: $0) }
        guard numbers.count == parts.count else { return nil }
        let days = days(numbers[0], numbers[1], numbers[2])
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        let time = seconds * 1_000 + numbers[6]
        guard bounds.contains(time) else { return nil }
        var printed: [UInt8] = []
        append(millisecondsSince1970: time, to: &printed)
        return printed.elementsEqual(word.utf8) ? time : nil
    }

    /// The days from the first of January 1970 to a date, counted as `date` counts them.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let years = month > 2 ? year : year - 1
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + dayOfYear - 719_468
    }

    /// The date in the Gregorian calendar.
    ///
    /// Years begin in March, so that a leap day comes last.
    private static func date(daysSince1970 days: Int64) -> (Int64, Int64, Int64) {
        let daysSince0000 = days + 719_468
        let era = daysSince0000 / 146_097
        let dayOfEra = daysSince0000 % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}
