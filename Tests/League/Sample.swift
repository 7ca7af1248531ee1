/// The mean of numbers that arrive one after another, and how sure it is.
///
/// Source: B. Welford, "Note on a Method for Calculating Corrected Sums of Squares and Products",
/// Technometrics 4, 1962.
public struct Sample: Equatable, Sendable {
    /// How many numbers have arrived.
    public private(set) var count = 0
    /// Their mean; 0 if there are none.
    public private(set) var mean = 0.0
    private var squares = 0.0

    /// Creates an empty sample.
    public init() {}

    /// Adds a number.
    public mutating func add(_ number: Double) {
        count += 1
        let difference = number - mean
        mean += difference / Double(count)
        squares += difference * (number - mean)
    }

    /// Half the width of the 95 % confidence interval of the mean, for a few dozen numbers or more.
    public var margin: Double {
        guard count > 1 else { return .infinity }
        return 1.96 * (squares / Double(count - 1) / Double(count)).squareRoot()
    }
}
