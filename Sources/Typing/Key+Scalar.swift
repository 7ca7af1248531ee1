extension Key {
    /// The key that sends a scalar by itself.
    init(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .tab
        case 0x0D: self = .enter
        case 1...26: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x60)))
        case ..<0x20: self = .control(Character(Unicode.Scalar(UInt8(scalar.value) | 0x40)))
        default: self = scalar.isControl ? .unknown : .character(Character(scalar))
        }
    }

    /// What stands for bytes that are no text.
    static let replacement = Key.character(Character(ScalarReader.replacement))
}
