extension Int {
    /// The number with a comma before every three digits, as `1,234,567`.
    public var grouped: String {
        let digits = Array(String(magnitude))
        let parts = digits.enumerated().map { index, digit in
            let left = digits.count - index
            return index > 0 && left % 3 == 0 ? ",\(digit)" : "\(digit)"
        }
        return (self < 0 ? "-" : "") + parts.joined()
    }
}

extension Double {
    /// The number with so many decimal places, at least one.
    func text(places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let fraction = String(scaled % scale)
        let zeros = String(repeating: "0", count: places - fraction.count)
        return "\(self < 0 && scaled > 0 ? "-" : "")\(scaled / scale).\(zeros)\(fraction)"
    }
}
