import Drawing

/// Draws the model: a frame is a value that follows from the model and the size alone.
///
/// What was drawn of the chart is kept, for it grows at its end and is otherwise the same.
package struct Painter {
    package private(set) var chart = ChartPainter()
    private let isASCII: Bool

    /// Makes a painter; with `isASCII` its frames contain only ASCII characters.
    package init(isASCII: Bool = false) {
        self.isASCII = isASCII
    }

    /// The frame that shows the model on a terminal of this size.
    package mutating func frame(of model: Model, size: Size) -> Frame {
        let frame = painting(of: model, size: size)
        return isASCII ? frame.inASCII() : frame
    }

    private mutating func painting(of model: Model, size: Size) -> Frame {
        var frame = Frame(size)
        guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
            frame.drawSmallness()
            return frame
        }
        let layout = Layout(size: size, isPlaying: model.bidder != nil)
        frame.drawHead(model, in: layout.head)
        guard !model.isHelpShown else {
            frame.drawHelp(isPlaying: model.bidder != nil)
            return frame
        }
        frame.drawPrice(model, in: layout.price, isASCII: isASCII)
        frame.drawCountdown(model, in: layout.countdown)
        frame.drawLaps(model, in: layout.laps)
        chart.draw(model, in: layout.chart, of: &frame)
        frame.drawBidders(model, in: layout.bidders)
        frame.drawTicker(model, in: layout.ticker)
        frame.drawInput(model, in: layout.input)
        frame.drawHints(model, in: layout.hints)
        return frame
    }
}
