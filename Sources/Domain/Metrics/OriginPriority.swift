/// The order of origins, which decides whose measurement counts where several measured the same time: first the names that
/// the user put in order, then by class (entered by hand, watch, band or ring, phone, other), then by canonical text.
public struct OriginPriority: Sendable, Hashable {
    /// Source names, the most trusted first.
    public let preferredNames: [String]
    private let comparedNames: [String]

    /// Creates an order in which `preferredNames` come first. They match as the names of inputs do: a no-break space,
    /// which Apple writes, equals a space, and composed letters equal decomposed ones.
    public init(preferredNames: [String] = []) {
        self.preferredNames = preferredNames
        comparedNames = preferredNames.map(InputSamples.comparedName)
    }

    /// Returns the preferred names that `names` does not contain.
    package func unknownNames(among names: [String]) -> [String] {
        let known = Set(names.map(InputSamples.comparedName))
        return preferredNames.filter { !known.contains(InputSamples.comparedName($0)) }
    }

    /// Returns whether `left` outranks `right`. This is a strict total order of different origins.
    public func precedes(_ left: SampleOrigin, _ right: SampleOrigin) -> Bool {
        let leftRank = rank(left)
        let rightRank = rank(right)
        return leftRank != rightRank ? leftRank < rightRank : left.orderingText < right.orderingText
    }

    /// Returns the place of `origin`: that of its preferred name, else that of its class. Several origins may have one place.
    package func rank(_ origin: SampleOrigin) -> Int {
        let name = InputSamples.comparedName(origin.sourceName)
        if let index = comparedNames.firstIndex(of: name) { return index }
        return preferredNames.count + DeviceClass(of: origin).rawValue
    }
}
