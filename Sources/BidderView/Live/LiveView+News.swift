import AuctionRules
import Drawing
import Reactive
import Wire

extension LiveView {
    /// Binds the model to the signals: what they say is what is seen.
    func watchNews() {
        let laps = Resource(lapsLoads.signal)
        let bidders = Resource(biddersLoads.signal)
        let sights = Sights(
            Sights.Sources(
                news: dialogue.news.signal, greeting: link.resource.result,
                loadedLaps: laps.result, loadedBidders: bidders.result,
                isLive: whileMoving(isLive.signal),
                lapRows: size.signal.map { [isPlaying] in
                    Layout(size: $0, isPlaying: isPlaying).lapRows
                }.removeDuplicates()),
            on: timeline)
        show(sights.standing, as: \.standing)
        show(sights.elapsed, as: \.elapsed)
        show(sights.countdown, as: \.countdown)
        show(sights.laps.map(Optional.some), as: \.laps.result)
        show(sights.ages, as: \.ages)
        show(sights.pace, as: \.pace)
        show(sights.series, as: \.series)
        show(sights.ticker, as: \.ticker)
        show(sights.bidders.map(Optional.some), as: \.bidders.result)
        show(link.resource.result.map(Optional.some), as: \.connection.result)
        showState(of: link.resource, as: \.connection.isLoading, \.connection.lastError)
        showState(of: laps, as: \.laps.isLoading, \.laps.lastError)
        showState(of: bidders, as: \.bidders.isLoading, \.bidders.lastError)
        show(
            Signal.spinner(
                while: [link.resource.isLoading, laps.isLoading, bidders.isLoading]
                    .map(whileMoving), on: timeline),
            as: \.spinner)
        followDialogue()
    }

    private func whileMoving(_ signal: Signal<Bool>) -> Signal<Bool> {
        signal.combineLatest(isMoving.signal).map { $0 && $1 }
    }

    private func followDialogue() {
        dialogue.news.signal.observe(in: bag) { [unowned self] message in
            switch message {
            case .hello(let seconds, let step, let game):
                enter(Greeting(seconds: seconds, step: step, game: game))
            case .skipped: synchronise()
            case .kicked(model.bidder, let reason): kickReason = reason
            case .lot(let lot, _, _): forgetAnswer(of: lot)
            case .price(let bid, _, _): follow(bid)
            case .voided, .winner, .passed:
                isLeading = false
                forgetAnswerAboutBids()
            default: break
            }
        }
    }

    /// What was answered while another lot was open would be taken for an answer about this one.
    private func forgetAnswer(of lot: Lot) {
        if heardLot != nil, heardLot != lot.number {
            model.feedback = nil
            isLeading = false
        }
        heardLot = lot.number
    }

    /// Removes an answer that a new price makes untrue, and tells the user of being outbid.
    private func follow(_ bid: Bid) {
        let isOwn = bid.bidder == model.bidder
        if !isOwn, isLeading || feedbackTopic == .outbid {
            let step = model.connection.result?.step.amount ?? 1
            let next = Price(bid.price.amount + step).map { ", bid \($0.grouped)" } ?? ""
            tell("outbid by \(bid.bidder)\(next)", isRefusal: true, about: .outbid)
        } else if !isOwn || feedbackTopic == .outbid {
            forgetAnswerAboutBids()
        }
        isLeading = isOwn
    }

    private func forgetAnswerAboutBids() {
        guard feedbackTopic != .other else { return }
        model.feedback = nil
        feedbackTopic = .other
        change()
    }

    private func show<Value>(_ signal: Signal<Value>, as path: WritableKeyPath<Model, Value>) {
        signal.observe(in: bag) { [unowned self] value in
            model[keyPath: path] = value
            change()
        }
    }

    private func showState<Value>(
        of resource: Resource<Value>, as isLoading: WritableKeyPath<Model, Bool>,
        _ lastError: WritableKeyPath<Model, String?>
    ) {
        show(resource.isLoading, as: isLoading)
        show(resource.lastError.map { ($0 as? Trouble)?.reason }, as: lastError)
    }
}
