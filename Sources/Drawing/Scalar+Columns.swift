extension Unicode.Scalar {
    /// Tells whether it can steer a terminal, or turn the order of what stands beside it.
    ///
    /// C0, DEL and C1; what Unicode calls bidirectional controls; its line separators.
    var isHarmful: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The columns it takes by itself: 0, 1 or 2.
    ///
    /// One that is harmful takes that of U+FFFD, and one of ambiguous width takes 1.
    var columns: Int {
        if value < 0x300 { return value == 0xAD ? 0 : 1 }
        if isHarmful { return 1 }
        if hasNoWidth { return 0 }
        return isWide ? 2 : 1
    }

    /// Marks, format characters, and the Hangul letters that complete a syllable.
    private var hasNoWidth: Bool {
        switch value {
        case 0x1160...0x11FF, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: return true
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return true
        default: return false
        }
    }

    private var isWide: Bool {
        var (low, high) = (0, Self.wideRanges.count)
        while low < high {
            let middle = (low + high) / 2
            if value > Self.wideRanges[middle].last { low = middle + 1 } else { high = middle }
        }
        return low < Self.wideRanges.count && value >= Self.wideRanges[low].first
    }
}
