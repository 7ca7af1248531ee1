import SafeText

extension Unicode.Scalar {
    /// The columns it takes by itself: 0, 1 or 2.
    ///
    /// One that is not printable takes that of U+FFFD, and one of ambiguous width takes 1.
    var columns: Int {
        if value < 0x300 || !isPrintable { return 1 }
        if hasNoWidth { return 0 }
        return isWide ? 2 : 1
    }

    /// Marks, joiners, and the Hangul letters that complete a syllable.
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
