import Auction
import Wire

/// Any line is a record or none; a record is printed as a line that is read as the same record.
func checkRecord(_ line: [UInt8]) throws(Violation) {
    guard let record = Record(line: line.span, elapsedMilliseconds: nil) else { return }
    var printed: [UInt8] = []
    record.appendText(to: &printed)
    let feed = UInt8(ascii: "\n")
    try hold(printed.firstIndex(of: feed) == printed.count - 1, "\(record) is more than a line")
    let text = Array(printed.dropLast())
    let again = Record(line: text.span, elapsedMilliseconds: record.elapsedMilliseconds)
    var reprinted: [UInt8] = []
    again?.appendText(to: &reprinted)
    // What may not be shown is escaped, and read back as what it is by then.
    let isEscaped = String(decoding: text, as: UTF8.self).contains("\\u{")
    try hold(
        isEscaped ? reprinted == printed : again == record,
        "\(record) was printed as \(String(decoding: text, as: UTF8.self).debugDescription)")
    try checkLot(record)
    try checkRoom(record)
}

/// The line of a lot that the journal adds is that of the command that added it.
private func checkLot(_ record: Record) throws(Violation) {
    guard case .event(.lotAdded(let plan)) = record else { return }
    let again = try? LotPlan(line: plan.line)
    try hold(again == plan, "\(plan) was printed as \(plan.line.debugDescription)")
    try checkRequest(Array("add \(plan.line)".utf8))
}

/// The options that the journal has of a room are options of the command that opens rooms.
private func checkRoom(_ record: Record) throws(Violation) {
    guard case .roomOpened(let name, _, let options) = record else { return }
    let command = try? Request(line: "open \(name) \(options.line)")?.command
    try hold(command == .open(name, options), "\(options) was printed as \(options.line)")
    try hold(options.isResolved, "\(options.line) leaves a choice to the main room")
}
