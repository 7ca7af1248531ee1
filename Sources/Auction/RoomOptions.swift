/// The options of a room, chosen when it is opened.
///
/// Seconds, start, step and pause that are nil are those of the main room; the room is without any
/// other option that is nil.
public struct RoomOptions: Equatable, Sendable {
    /// The allowed numbers of lots.
    public static let allowedLots = 1...1000

    /// The allowed times between two lots.
    public static let allowedPause: ClosedRange<Duration> = .zero ... .seconds(3600)

    /// The rules of each lot.
    public var lot: LotOptions
    /// The number of lots; nil if they never end.
    public var lots: Int?
    /// The time from the hammer of a lot to the opening of the next.
    public var pause: Duration?
    /// What each bidder may spend in the room; nil for no limit.
    public var purse: Price?
    /// The range of each bidder's private value of a lot; nil if they have none.
    public var worth: ClosedRange<Int64>?
    /// The range of a lot's common value; nil if it has none.
    public var common: ClosedRange<Int64>?
    /// The most by which an estimate of a common value is wrong.
    public var noise: Int64?
    /// Whether the standings have the profits before the end of the sale.
    public var showsProfits = false
    /// Whether what is left of a purse counts as profit.
    public var countsLeftover = false

    /// Whether the sale waits until the auctioneer starts it.
    public var waits = false
    /// Whether lots without titles get names of the built-in list.
    public var isNamed = false
    /// Whether the purse is computed when the first lot opens, in place of `purse`.
    public var sharesPurse = false

    /// Creates options of which only those of the lots are set.
    public init(lot: LotOptions = LotOptions()) {
        self.lot = lot
    }
}

extension RoomOptions {
    /// How the lots get their values; nil if they have none, or if the options of values conflict.
    public var values: GameOptions.Values? {
        get {
            switch (worth, common, noise) {
            case (let range?, nil, nil): .personal(range)
            case (nil, let range?, let noise?): .common(range, noise: noise)
            default: nil
            }
        }
        set {
            (worth, common, noise) = (nil, nil, nil)
            switch newValue {
            case .personal(let range): worth = range
            case .common(let range, let error): (common, noise) = (range, error)
            case nil: break
            }
        }
    }

    /// Whether the sale has purses or values.
    public var isGame: Bool { purse != nil || values != nil }

    /// The problem if `leftover=counts` is set without a purse or values; nil if there is none.
    ///
    /// Options are printed with `prefix` and `separator`, as in `--purse N`.
    public func conflictOfLeftover(
        prefix: String = "", separator: String = "="
    ) -> OptionProblem? {
        guard countsLeftover, purse == nil && !sharesPurse || values == nil else { return nil }
        return OptionProblem(
            "\(prefix)leftover\(separator)counts needs \(prefix)purse\(separator)N, and values such as "
                + "\(prefix)worth\(separator)A..B")
    }

    /// The conflict between `worth`, `common` and `noise`; nil if there is none.
    ///
    /// Options are printed with `prefix` and `separator`, as in `--noise N`.
    public func conflictOfValues(
        prefix: String = "", separator: String = "="
    ) -> OptionProblem? {
        let (worth, common, noise) = ("\(prefix)worth", "\(prefix)common", "\(prefix)noise")
        return switch (self.worth, self.common, self.noise) {
        case (_, nil, nil), (nil, _?, _?): nil
        case (_?, _?, _): OptionProblem("\(worth) and \(common) exclude each other: give one")
        case (nil, _?, nil):
            OptionProblem(
                "\(common) needs \(noise)\(separator)N, the most by which an estimate may be wrong")
        case (_, nil, _?): OptionProblem("\(noise) needs \(common)\(separator)A..B")
        }
    }
}

extension RoomOptions {
    /// What a shared purse lacks; nil if it can be computed, or the purse is not shared.
    ///
    /// `hasEnd` is whether the number of lots is known.
    public func conflictOfPurse(hasEnd: Bool) -> OptionProblem? {
        guard sharesPurse, values == nil || !hasEnd else { return nil }
        return OptionProblem("purse auto needs values, and a number of lots")
    }
}

extension RoomOptions {
    /// Returns the rules of the room's lots, in a server whose main room has these rules.
    ///
    /// The room has the seconds, the start, the step and the pace of raises of the main room where
    /// it chose none, but no format, reserve, buy price or longest time that it did not choose.
    ///
    /// - Throws: The first thing that does not go together.
    public func rules(_ base: Rules) throws(OptionProblem) -> Rules {
        let base = Rules(
            seconds: base.seconds, start: base.start, step: base.step,
            allowsSelfRaise: base.allowsSelfRaise, mostRaise: base.mostRaise)
        return try lot.rules(base)
    }

    /// Returns the options with those of the main room filled in, as the journal has them.
    ///
    /// So a restart with other flags changes none of them. What raises are allowed is not among
    /// them: that is a rule of the server, which holds in all rooms. `base` are the rules of the
    /// main room, and `pause` is the time between its lots.
    public func resolved(with base: Rules, pause: Duration) -> RoomOptions {
        var resolved = self
        resolved.lot.format = lot.format ?? .english
        resolved.lot.seconds = lot.seconds ?? base.seconds
        resolved.lot.start = lot.start ?? base.start
        resolved.lot.step = lot.step ?? base.step
        resolved.pause = self.pause ?? pause
        return resolved
    }

    /// Whether the options are resolved: none of them has to be taken from the main room.
    public var isResolved: Bool {
        lot.format != nil && lot.seconds != nil && lot.start != nil && lot.step != nil
            && pause != nil
    }

    /// The lots of the room, named by their numbers.
    ///
    /// If `pause` is nil, it is that of a catalogue which is created without one.
    public var catalogue: Catalogue {
        let pause = pause ?? Catalogue().pause
        return lots.map { Catalogue(untitled: $0, pause: pause) } ?? Catalogue(pause: pause)
    }
}

/// An open room, as the list of rooms has it.
public struct RoomRow: Hashable, Sendable {
    /// The name of the room.
    public let name: RoomName
    /// The number of connections in it.
    public let people: Int
    /// The number of its newest lot.
    public let lot: Int
    /// How that lot is sold.
    public let format: AuctionFormat
    /// The title of that lot.
    public let title: String

    /// Creates the row of a room.
    public init(name: RoomName, people: Int, lot: Int, format: AuctionFormat, title: String) {
        (self.name, self.people, self.lot) = (name, people, lot)
        (self.format, self.title) = (format, title)
    }
}
