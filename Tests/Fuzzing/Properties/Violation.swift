/// A violated property, as a sentence.
package struct Violation: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Requires a condition for the input under test.
func hold(_ isSo: Bool, _ complaint: @autoclosure () -> String) throws(Violation) {
    if !isSo { throw Violation(complaint()) }
}
