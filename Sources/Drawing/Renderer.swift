/// Turns one frame on the terminal into the next, with few bytes.
///
/// The terminal is left with plain text style, and with its cursor where the frame shows it. It
/// should not wrap at the right edge: a character that it takes to be wider than it is could.
///
/// Source: ECMA-48 CUP, ED, SGR; DEC private modes 25 (the cursor) and 2026 (one update at once).
public struct Renderer: Sendable {
    /// Makes a renderer; it remembers nothing.
    public init() {}

    /// The bytes for the terminal that shows `old` to show `new`; none at all if they are equal.
    ///
    /// Clears and draws everything if `old` is nil, as nothing is known then, or of another size.
    /// Without colours there are still bold, dim and reversed cells. O(cells).
    public func difference(from old: Frame?, to new: Frame, isColoured: Bool) -> [UInt8] {
        guard let old, old.size == new.size else { return drawing(of: new, isColoured) }
        var pen = Pen(at: old.visibleCursor, isColoured: isColoured)
        let rows = pen.paint(new, over: old)
        pen.finish(at: new.visibleCursor)
        let wasShown = old.visibleCursor != nil
        let isShown = new.visibleCursor != nil
        guard rows > 1 else {
            guard wasShown != isShown else { return pen.bytes }
            return isShown ? pen.bytes + Control.showCursor : Control.hideCursor + pen.bytes
        }
        return atOnce(
            (wasShown ? Control.hideCursor : []) + pen.bytes + (isShown ? Control.showCursor : []))
    }

    private func drawing(of frame: Frame, _ isColoured: Bool) -> [UInt8] {
        var pen = Pen(at: nil, isColoured: isColoured)
        pen.paint(frame, over: Frame(frame.size))
        pen.finish(at: frame.visibleCursor)
        return atOnce(
            Control.hideCursor + Control.clear + pen.bytes
                + (frame.visibleCursor == nil ? [] : Control.showCursor))
    }

    private func atOnce(_ bytes: [UInt8]) -> [UInt8] {
        Control.beginUpdate + bytes + Control.endUpdate
    }
}

private enum Control {
    static let beginUpdate = Array("\u{1B}[?2026h".utf8)
    static let endUpdate = Array("\u{1B}[?2026l".utf8)
    static let hideCursor = Array("\u{1B}[?25l".utf8)
    static let showCursor = Array("\u{1B}[?25h".utf8)
    /// Plain style first, as what is cleared takes the ground of the style.
    static let clear = Array("\u{1B}[m\u{1B}[2J".utf8)
}
