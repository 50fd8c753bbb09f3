/// The order of origins, which decides whose measurement counts where several measured the same time: first the names that
/// the user put in order, then by class (entered by hand, watch, band or ring, phone, other), then by canonical text.
public struct OriginPriority: Sendable, Hashable {
    /// Source names, the most trusted first.
    public let preferredNames: [String]

    /// Creates an order in which `preferredNames` come first.
    public init(preferredNames: [String] = []) { self.preferredNames = preferredNames }

    /// Returns whether `left` outranks `right`. This is a strict total order of different origins.
    public func precedes(_ left: SampleOrigin, _ right: SampleOrigin) -> Bool {
        let leftRank = rank(left)
        let rightRank = rank(right)
        return leftRank != rightRank ? leftRank < rightRank : left.orderingText < right.orderingText
    }

    private func rank(_ origin: SampleOrigin) -> Int {
        if let index = preferredNames.firstIndex(of: origin.sourceName) { return index }
        return preferredNames.count + DeviceClass(of: origin).rawValue
    }
}
