/// Which origin counts where several measured the same time: names that the person put in order first, then by class
/// (entered by hand, watch, band or ring, phone, other), and within a class by canonical text.
public struct OriginPriority: Sendable, Hashable {
    /// Source names, the most trusted first.
    public let preferredNames: [String]

    /// Order by `preferredNames`, then by class.
    public init(preferredNames: [String] = []) { self.preferredNames = preferredNames }

    /// Whether `left` outranks `right`. A strict total order over different origins.
    public func precedes(_ left: SampleOrigin, _ right: SampleOrigin) -> Bool {
        let leftRank = rank(left)
        let rightRank = rank(right)
        return leftRank != rightRank ? leftRank < rightRank : left.canonicalText < right.canonicalText
    }

    private func rank(_ origin: SampleOrigin) -> Int {
        if let index = preferredNames.firstIndex(of: origin.sourceName) { return index }
        return preferredNames.count + DeviceClass(of: origin).rawValue
    }
}
