extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    var isControl: Bool { properties.generalCategory == .control }

    /// Whether it may stand in a line: it neither steers a terminal nor turns text around.
    var isText: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !properties.isBidiControl
        }
    }
}
