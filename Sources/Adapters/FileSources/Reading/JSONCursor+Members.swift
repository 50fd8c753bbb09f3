import HealthSyncDomain

extension JSONCursor {
    /// A sample has about a dozen members; comparing many more would take quadratic time.
    private static let mostCompared = 64

    /// Returns the name of a member that the object at `position` of `bytes` contains twice; `nil` without one, and for
    /// another value.
    static func repeatedMember(in bytes: [UInt8], at position: Int = 0) -> String? {
        var cursor = JSONCursor(bytes, at: position)
        var names: [ExactText] = []
        do throws(Broken) {
            guard try cursor.enterObject() else { return nil }
            while let name = try cursor.nextMember(first: names.isEmpty) {
                if names.contains(ExactText(name)) { return name }
                guard names.count < mostCompared else { return nil }
                names.append(ExactText(name))
                _ = try cursor.skipValue()
            }
            return nil
        } catch {
            return nil
        }
    }
}
