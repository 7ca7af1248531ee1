import BidderView
import Drawing
import Transport

extension Seat {
    func carryOutWishes() throws {
        var wishes = view.takeWishes()
        while !wishes.isEmpty {
            for wish in wishes { try carryOut(wish) }
            wishes = view.takeWishes()
        }
    }

    private func carryOut(_ wish: Wish) throws {
        switch wish {
        case .connect: line.dial()
        case .disconnect: line.hangUp()
        case .send(let text): line.say(text)
        case .keep(let token, let bidder, let game): keep(token, bidder, game)
        case .redraw: shown = nil
        case .suspend: try suspend()
        case .leave(let code, let complaint):
            ending = Ending(code: code, complaint: complaint, signal: nil)
        }
    }

    /// Draws what has changed, unless the terminal has yet to take what it was given before.
    func draw() throws {
        if terminal.isDrained, ending == nil, let frame = view.takeFrame() {
            terminal.write(
                Renderer().difference(from: shown, to: frame, isColoured: isColoured))
            shown = frame
        }
        try loop.change(
            terminalHandle, to: terminal.isDrained ? .readable : [.readable, .writable])
    }
}
