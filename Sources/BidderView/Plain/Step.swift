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

    let line: String
    let hearing: Hearing
    var showsData = false
    var showsAnswer = false

    /// All that there is to say for a purpose, in order.
    ///
    /// In JSON the snapshot of the greeting, which is text, is left out and asked for again.
    static func plan(_ purpose: Purpose, format: Format, token: String?) -> [Step] {
        let isJSON = format == .json
        let prelude = isJSON ? [Step(.format(.json), .dropped)] : []
        let snapshot = isJSON ? [Step(.status, .collected, showsData: true)] : []
        switch purpose {
        case .bid(let price, let bidder, _):
            return prelude + snapshot + [
                Step(.name(bidder, token: token), .live),
                Step(.bid(price), .live, showsAnswer: true),
            ]
        case .play(let bidder):
            return prelude + snapshot + [Step(.name(bidder, token: token), .live)]
        case .watch:
            return prelude + snapshot
        case .ask(let command):
            return prelude + [Step(command, .collected, showsData: true)]
        case .send(let line, let bidder):
            let name = bidder.map { [Step(.name($0, token: token), .dropped)] } ?? []
            let said = Step(line: line, hearing: .collected, showsData: true, showsAnswer: true)
            return prelude + name + [said]
        }
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
