/// Markup whose content is skipped, because it may contain what looks like records.
enum SkippedMarkup {
    /// `<!-- … -->`
    case comment
    /// `<![CDATA[ … ]]>`
    case characterData
    /// `<? … ?>`
    case instruction

    /// The byte before the closing `>`.
    private var mark: UInt8 {
        switch self {
        case .comment: 0x2D
        case .characterData: 0x5D
        case .instruction: 0x3F
        }
    }

    /// The number of such bytes.
    private var markCount: Int { if case .instruction = self { 1 } else { 2 } }

    /// Returns the index after the end, searched from `start`; `nil` if the window does not contain it, in which case
    /// the bytes before `resumption` need not be searched again.
    func end(_ window: ByteWindow, from start: Int) -> (end: Int?, resumption: Int) {
        var index = window.firstIndex(of: 0x3E, from: start + markCount)
        while index < window.count {
            if window[index - 1] == mark, markCount == 1 || window[index - 2] == mark {
                return (index + 1, index + 1)
            }
            index = window.firstIndex(of: 0x3E, from: index + 1)
        }
        return (nil, max(start, window.count - markCount))
    }
}
