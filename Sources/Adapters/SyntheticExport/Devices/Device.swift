/// A device and its software on a day.
struct Device: Sendable, Hashable {
    /// The source's name as HealthKit shows it.
    var sourceName: String
    var name: String
    var model: String
    var hardware: String
    var software: String

    /// Returns HealthKit's description in records of `type`, escaped for an attribute. The object address in it is
    /// meaningless and differs from type to type.
    func description(for type: String, seed: UInt64) -> String {
        let hash = (type + hardware + software).utf8.reduce(seed) { SeededStream.mixed($0 ^ UInt64($1)) }
        let address = 0x2_8000_0000 | (hash & 0x0FFF_FFE0)
        return "&lt;&lt;HKDevice: 0x\(String(address, radix: 16))&gt;, name:\(name), manufacturer:Apple Inc., "
            + "model:\(model), hardware:\(hardware), software:\(software)&gt;"
    }
}
