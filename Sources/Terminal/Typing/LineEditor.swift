import Bidder

/// A line editor with the keys of readline, a history and completion.
///
/// The text has at most 1,000 bytes of printable characters; others are ignored.
package struct LineEditor: Equatable, Sendable {
    /// The result of a key.
    package enum Outcome: Equatable, Sendable {
        /// The text or the cursor changed.
        case edited
        /// The line was submitted, and is empty now; the text is without blanks at its ends.
        case submitted(String)
        /// Nothing changed, so the caller may handle the key.
        case unchanged
    }

    /// The beginnings of lines, of one or more words, to which Tab completes the line.
    package var completions: [String]
    private var line = EditLine()
    private var history = LineHistory()
    private var killed = ""
    private var isKilling = false

    /// Makes an empty line.
    package init(completions: [String]) {
        self.completions = completions
    }

    /// The text of the line.
    package var text: String { line.text }

    /// The number of characters before the cursor.
    package var cursor: Int { line.cursor }

    /// The characters before the cursor.
    package var textBeforeCursor: String { String(line.before) }

    /// Handles a key; `offer` is the text that the up arrow proposes on an empty line.
    ///
    /// O(text).
    package mutating func press(_ key: Key, offer: String?) -> Outcome {
        let old = line
        switch key {
        case .enter, .control("j"), .control("m"):
            return submit()
        case .up, .control("p"):
            show(history.goBack(from: line.text, offer: offer))
        case .down, .control("n"):
            show(history.goForward(offer: offer))
        default:
            edit(key)
            if line.text != old.text { history.leave() }
        }
        return line == old ? .unchanged : .edited
    }

    /// Empties the line without submitting it; the history keeps nothing of it.
    package mutating func clear() {
        (line, isKilling) = (EditLine(), false)
        history.leave()
    }

    /// Removes the last submitted line from the history, because it contains a secret.
    package mutating func forget() {
        history.forget()
    }

    private mutating func submit() -> Outcome {
        let text = line.text.trimmed
        line = EditLine()
        history.add(text)
        isKilling = false
        return .submitted(text)
    }

    private mutating func show(_ text: String?) {
        isKilling = false
        if let text { line.replace(with: text) }
    }

    private mutating func edit(_ key: Key) {
        let wasKilling = isKilling
        isKilling = false
        switch key {
        case .control("k"): kill(to: line.text.count, isMore: wasKilling)
        case .control("u"): kill(to: 0, isMore: wasKilling)
        case .control("w"): kill(to: line.blankWordStart, isMore: wasKilling)
        case .control("y"): line.insert(killed)
        case .character(let character): line.insert(String(character))
        case .pasted(let text): line.insert(text)
        case .tab, .control("i"): complete()
        case .backspace, .control("h"): _ = line.remove(to: line.cursor - 1)
        case .delete, .control("d"): _ = line.remove(to: line.cursor + 1)
        default: move(key)
        }
    }

    private mutating func move(_ key: Key) {
        switch key {
        case .left, .control("b"): line.move(to: line.cursor - 1)
        case .right, .control("f"): line.move(to: line.cursor + 1)
        case .home, .control("a"): line.move(to: 0)
        case .end, .control("e"): line.move(to: line.text.count)
        case .wordLeft: line.move(to: line.wordStart)
        case .wordRight: line.move(to: line.wordEnd)
        default: break
        }
    }

    /// Removes text for a later yank; consecutive kills add up.
    private mutating func kill(to place: Int, isMore: Bool) {
        let isBackwards = place < line.cursor
        let removed = line.remove(to: place)
        isKilling = true
        guard !removed.isEmpty else { return }
        let kept = isMore ? killed : ""
        killed = isBackwards ? removed + kept : kept + removed
    }

    private mutating func complete() {
        guard let rest = line.completion(among: completions) else { return }
        line.insert(rest)
    }
}

/// The submitted lines, and the position of the user in them.
struct LineHistory: Equatable, Sendable {
    /// The maximum number of stored lines.
    static let maximumLines = 100

    private var entries: [String] = []
    /// The line being typed, the offer if that is empty, and the submitted lines, newest first.
    ///
    /// Empty unless one of them is shown.
    private var lines: [String] = []
    private var place = 0

    /// Adds a line unless it is blank or equal to the newest, and returns to the draft.
    mutating func add(_ line: String) {
        leave()
        guard !line.isEmpty, line != entries.last else { return }
        entries.append(line)
        if entries.count > Self.maximumLines { entries.removeFirst() }
    }

    /// Forgets the newest line.
    mutating func forget() {
        leave()
        _ = entries.popLast()
    }

    /// Makes the shown line the draft, because it was edited.
    mutating func leave() {
        (lines, place) = ([], 0)
    }

    /// Goes one line back from the shown one, and returns it; nil at the oldest.
    mutating func goBack(from line: String, offer: String?) -> String? {
        if place == 0 {
            let offers = line.isEmpty ? [offer].compactMap { $0 } : []
            lines = [line] + offers + entries.reversed()
        }
        return show(place + 1, offer)
    }

    /// Goes one line forward, and returns it; nil at the draft.
    mutating func goForward(offer: String?) -> String? { show(place - 1, offer) }

    private mutating func show(_ next: Int, _ offer: String?) -> String? {
        guard lines.indices.contains(next) else { return nil }
        place = next
        // The offer of now, which may be another one.
        let isOffer = next == 1 && lines.count - entries.count == 2
        if isOffer, let offer { return offer }
        return lines[next]
    }
}
