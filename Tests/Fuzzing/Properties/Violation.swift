/// What an input brought to light that should not be so, as a sentence.
package struct Violation: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

/// Holds that something is so for the input at hand.
func hold(_ isSo: Bool, _ complaint: @autoclosure () -> String) throws(Violation) {
    if !isSo { throw Violation(complaint()) }
}
