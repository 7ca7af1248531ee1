/// The strategies of bots by name; the module `Strategies` makes them.
///
/// A new one needs a file there, and one line in each of the lists.
public enum StrategyKind: String, CaseIterable, Sendable {
    /// Bids its value.
    case truthful
    /// Waits for the last second.
    case sniper
    /// Raises by more than it must.
    case jumper
    /// Bids less than its value, by the number of rivals.
    case shader
    /// Bids at random, but never more than its value.
    case random
    /// Learns its margin from how lots end.
    case zip
    /// Leaves the bidding to the server.
    case proxy
    /// Bids as the theory of auctions says.
    case equilibrium

    /// How it bids, in a few words.
    public var summary: String {
        switch self {
        case .truthful: "its value; in a rising auction the least raise up to it"
        case .sniper: "in the last second"
        case .jumper: "halfway to its value at once, then the least raise"
        case .shader: "less than its value, by the number of rivals"
        case .random: "anything up to its value"
        case .zip: "less than its value, as it learns from how lots end"
        case .proxy: "its value as a maximum, up to which the server bids"
        case .equilibrium: "as theory says, by the number of rivals; corrects an estimate"
        }
    }
}
