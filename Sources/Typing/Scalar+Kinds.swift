extension Unicode.Scalar {
    /// Whether it is a control character: C0, DEL or C1.
    var isControl: Bool { properties.generalCategory == .control }
}
