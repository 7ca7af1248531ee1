import AuctionRules
import Wire

/// One thing to say to the server, and what to do with what is heard until it is answered.
struct Step: Sendable {
    enum Hearing: Sendable {
        /// Nothing of it is of use.
        case dropped
        /// It may be the data of the answer.
        case collected
        /// It is shown as it comes.
        case live
    }

    /// The line to send; a line that takes a name is without its token.
    let line: String
    let hearing: Hearing
    /// The name that the line takes, if its token has to be added.
    var claim: Bidder?
    var isBid = false
    var showsData = false
    var showsAnswer = false

    /// All that there is to say for a purpose, in order.
    ///
    /// In JSON the snapshot of the greeting, which is text, is left out and asked for again.
    static func plan(_ purpose: Purpose, format: Format) -> [Step] {
        let isJSON = format == .json
        let prelude = isJSON ? [Step(.format(.json), .dropped)] : []
        let snapshot = isJSON ? [Step(.status, .collected, showsData: true)] : []
        switch purpose {
        case .bid(let price, let bidder, _, _):
            var bid = Step(.bid(price), .live, showsAnswer: true)
            bid.isBid = true
            return prelude + snapshot + [Step(claiming: bidder, .live), bid]
        case .play(let bidder):
            return prelude + snapshot + [Step(claiming: bidder, .live)]
        case .watch:
            return prelude + snapshot
        case .ask(let command):
            return prelude + [Step(command, .collected, showsData: true)]
        case .send(let line, let bidder):
            let name = bidder.map { [Step(claiming: $0, .dropped)] } ?? []
            let said = Step(line: line, hearing: .collected, showsData: true, showsAnswer: true)
            return prelude + name + [said]
        }
    }

    private init(claiming bidder: Bidder, _ hearing: Hearing) {
        self.init(.name(bidder, token: nil), hearing)
        claim = bidder
    }

    private init(line: String, hearing: Hearing, showsData: Bool, showsAnswer: Bool) {
        self.line = line
        self.hearing = hearing
        self.showsData = showsData
        self.showsAnswer = showsAnswer
    }

    private init(
        _ command: Request.Command, _ hearing: Hearing, showsData: Bool = false,
        showsAnswer: Bool = false
    ) {
        self.init(
            line: command.description, hearing: hearing, showsData: showsData,
            showsAnswer: showsAnswer)
    }
}
