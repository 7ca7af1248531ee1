/// How many connections of each kind are open, and whether there is a place for another one.
struct Places {
    /// The most regular places; nil for no limit.
    private let mostRegular: Int?
    /// The most reserved places for clients that prove a token, and for the Unix socket alone.
    private let mostReserved: Int
    private let mostLocal: Int
    private var regular = 0
    private var reserved = 0
    private var local = 0

    /// A quarter of the reserved places, rounded up, is for the Unix socket alone.
    init(_ limits: Limits) {
        mostRegular = limits.connections
        mostLocal = (limits.reserve + 3) / 4
        mostReserved = limits.reserve - mostLocal
    }

    /// Whether a place of this kind is free.
    func hasFree(_ place: Session.Place) -> Bool {
        switch place {
        case .regular: mostRegular.map { regular < $0 } ?? true
        case .reserved: reserved < mostReserved
        case .local: local < mostLocal
        }
    }

    /// Gives a place to a connection.
    mutating func take(_ place: Session.Place) {
        count(1, in: place)
    }

    /// Frees the place of a connection.
    mutating func free(_ place: Session.Place) {
        count(-1, in: place)
    }

    private mutating func count(_ change: Int, in place: Session.Place) {
        switch place {
        case .regular: regular += change
        case .reserved: reserved += change
        case .local: local += change
        }
    }
}
