import Auction

/// The purses and values that an operator chooses; a sale with any of them is a game.
public struct GameSettings: Equatable, Sendable {
    /// What each bidder may spend in the sale; nil for no limit.
    public var purse: Price?
    /// How the lots get their values; nil if they have none.
    public var values: GameOptions.Values?
    /// The key of the draws; nil for the one of before, or else a random one.
    public var seed: Seed?
    /// Whether the standings have the profits before the end of the sale.
    public var showsProfits: Bool

    /// Creates the settings of a sale that is no game.
    public init(
        purse: Price? = nil, values: GameOptions.Values? = nil, seed: Seed? = nil,
        showsProfits: Bool = false
    ) {
        (self.purse, self.values, self.seed) = (purse, values, seed)
        self.showsProfits = showsProfits
    }

    /// Creates the settings of a room with these options.
    public init(_ options: RoomOptions) {
        self.init(
            purse: options.purse, values: options.values, showsProfits: options.showsProfits)
    }

    /// The options to continue with; nil if there is and was no game.
    func options(after former: GameOptions?, _ drawSeed: () -> Seed) -> GameOptions? {
        guard purse != nil || values != nil || former != nil else { return nil }
        return GameOptions(
            purse: purse, values: values, seed: seed ?? former?.seed ?? drawSeed())
    }
}
