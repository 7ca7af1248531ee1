import Wire

/// Each line is a request or an error; a request is printed as a line that parses to it.
func checkRequest(_ line: [UInt8]) throws(Violation) {
    let request: Request?
    do throws(ParseError) {
        request = try Request(line: line.span)
    } catch {
        return try checkFault(error)
    }
    guard let request else {
        let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return try hold(isBlank, "a line with a word in it was taken for none")
    }
    let printed = request.description
    let again = try? Request(line: printed)
    try hold(again == request, "\(request) was printed as \(printed), and read as \(again as Any)")
}

/// An error has a reason, in one line that a client understands.
private func checkFault(_ error: ParseError) throws(Violation) {
    let message = ServerMessage.error(ErrorReply(error.reason), tag: error.tag)
    try hold(
        ServerMessage(text: message.text) == message,
        "the client reads \(message.text) as another fault")
    try checkRoundTrip(message)
}
