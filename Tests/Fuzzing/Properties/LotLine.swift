import Auction
import Basics
import Wire

/// Each line is a lot or an error; a lot is printed as a line that parses to it.
func checkLotLine(_ line: [UInt8]) throws(Violation) {
    guard let line = String(validating: line, as: UTF8.self) else { return }
    let plan: LotPlan
    do throws(OptionProblem) {
        plan = try LotPlan(line: line)
    } catch {
        let reason = error.description
        return try hold(!reason.isEmpty && reason.isPrintable, "an error without a line: \(reason)")
    }
    let again = try? LotPlan(line: plan.line)
    try hold(again == plan, "\(plan) was printed as \(plan.line), and read as \(again as Any)")
}
