/// A device on a day: what it is and what runs on it.
struct Device: Sendable, Hashable {
    /// As HealthKit shows it.
    var sourceName: String
    var name: String
    var model: String
    var hardware: String
    var software: String

    /// HealthKit's description among records of `type`, escaped for an attribute. The address of the object in it says
    /// nothing and differs from type to type.
    func description(for type: String, seed: UInt64) -> String {
        let hash = (type + hardware + software).utf8.reduce(seed) { SeededStream.mixed($0 ^ UInt64($1)) }
        let address = 0x2_8000_0000 | (hash & 0x0FFF_FFE0)
        return "&lt;&lt;HKDevice: 0x\(String(address, radix: 16))&gt;, name:\(name), manufacturer:Apple Inc., "
            + "model:\(model), hardware:\(hardware), software:\(software)&gt;"
    }
}
