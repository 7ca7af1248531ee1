import Wire

/// What may come of the actions of a plan; each must be seen in a few hundred seeds.
package enum Occurrence: String, CaseIterable, Sendable {
    case terms = "terms of a lot"
    case ask = "asking price fell"
    case sealed = "sealed bids announced"
    case revealed = "sealed bid revealed"
    case soldSealed = "sold by sealed bids"
    case reserveMet = "reserve met"
    case reserveNotMet = "reserve not met"
    case unwanted = "a lot that nobody wanted"
    case value = "common value revealed"
    case champion = "champion named"
    case said = "message said"
    case reacted = "reaction"
    case displayed = "display name set"
    case taken = "asking price taken"
    case bought = "lot bought"
    case maximum = "maximum set"
    case outbid = "bid refused for a maximum as high"
    case otherLot = "offer for another lot refused"
    case overPurse = "bid over the purse"
    case header = "PROXY header"
    case splitHeader = "PROXY header in pieces"
    case unknownHeader = "PROXY header without address"
    case invalidHeader = "invalid PROXY header"
    case lateHeader = "late PROXY header"
    case closedInHeader = "end in a PROXY header"
    case brokenInHeader = "reset in a PROXY header"
    case refusedInCrowd = "refused in a crowd"
    case madeRoom = "room made for a newcomer"
    case failedSocket = "failed socket"
    case toldLate = "second published a countdown late"
    case bidInStall = "bid in time only because the disk stalled"
    case inlineWrite = "inline write"
    case slowInlineWrite = "slow inline write"
    case durableInStep = "durable within its step"
    case resumed = "resumed with news"
    case gone = "missed news gone"
    case futureNumber = "resume with a future number"
    case results = "results"
    case earlierResults = "results of removed segments"
    case newSegment = "new segment"
    case removedSegment = "removed segment"
    case openedRoom = "room opened"
    case reopenedRoom = "room opened under the name of a former one"
    case roomTaken = "opening refused: the room is there"
    case badRoomOptions = "opening refused: wrong options"
    case roomsFull = "opening refused: too many rooms"
    case addressRoomsFull = "opening refused: too many rooms of an address"
    case spentJournal = "bytes of the journal used up by an address"
    case joinedRoom = "room joined"
    case joinedOwnRoom = "own room joined again"
    case noRoom = "joining refused: no such room"
    case barredInRoom = "joining refused: kicked name"
    case movedTooOften = "joining refused: too often"
    case nameInRooms = "name in several rooms"
    case bidInRoom = "bid confirmed in an opened room"
    case skippedFormerRoom = "skipped news of a former room"
    case roomEnded = "empty room ended"
    case gaveWay = "room ended for a new one"
    case endedRoom = "room ended by the auctioneer"
    case endedOtherRoom = "end of another room refused to the auctioneer of a room"
    case reservedRoom = "room opened by the auctioneer of a full server"
    case soldInEmptyRoom = "lot sold in an empty room"
    case startedInEmptyRoom = "countdown of sealed bids begun in an empty room"
    case roomKey = "key of a room accepted"
    case otherKey = "key of another room refused"
    case leftByAuctioneer = "room left by its auctioneer"
    case stopByKey = "stop refused to the auctioneer of a room"
    case newSegmentWithRooms = "new segment with several rooms"
    case crashWithRooms = "crash with several rooms"
    case startWithRooms = "start with several rooms"
    case startFromStates = "start from the states of several rooms"
    case startWithoutOldSegments = "start without old segments"
    case crashInRecovery = "crash in recovery"
    case ready = "instructions of a class read"
    case roundPlayed = "round of a class played"
    case roundSkipped = "round of a class left out"
    case roundEnded = "round of a class ended by the teacher"
    case roundPaused = "round of a class paused"
    case classPaused = "class paused between two rounds"
    case classOver = "class played to its end"
    case startInRound = "start in a round of a class"
    case substituted = "bid of a bot for who has left a class"
    case otherGroup = "room of another group refused"
    case newsInText = "news in text"
    case newsInJSON = "news in JSON"
    case skipped = "skipped news"
    case opened = "WebSocket opened"
    case openedInRoom = "WebSocket opened in a room"
    case noRoomForSocket = "WebSocket refused: no such room"
    case otherRequest = "HTTP request before a WebSocket"
    case refusedRequest = "HTTP request refused with 400, 408 or 503"
    case greetedEarly = "lines in place of an HTTP response"
    case fragments = "message in fragments"
    case pong = "pong"
    case newsInFrames = "news in WebSocket frames"
    case skippedFrames = "skipped news on a WebSocket"
    case resumedFrames = "resumed with news on a WebSocket"
    case closed1000 = "close frame with 1000"
    case closed1001 = "close frame with 1001"
    case closed1002 = "close frame with 1002"
    case closed1003 = "close frame with 1003"
    case closed1007 = "close frame with 1007"
    case closed1008 = "close frame with 1008"
    case closed1009 = "close frame with 1009"
    case closedOtherwise = "close frame with another code, or none"
}

extension Oracle {
    /// Counts what happens to the lots of any room.
    func countNews(_ message: ServerMessage, of game: GameModel) {
        switch message.event {
        case .termsAnnounced: count(.terms)
        case .askFell: count(.ask)
        case .bidsSealed: count(.sealed)
        case .bidRevealed: count(.revealed)
        case .reserveMet: count(.reserveMet)
        case .lotPassed(_, "reserve-not-met", _): count(.reserveNotMet)
        case .lotPassed(_, "no-bids", _): count(.unwanted)
        case .valueRevealed: count(.value)
        case .championNamed: count(.champion)
        case .messageSaid: count(.said)
        case .reacted: count(.reacted)
        case .displayNameSet: count(.displayed)
        case .lotSold(let sold) where game.leading.map { $0.price > sold.price } ?? true:
            count(.soldSealed)
        default: break
        }
    }
}
