/// A stream of chance that depends on nothing but its seed (SplitMix64, Steele, Lea and Flood 2014). Only arithmetic
/// that IEEE 754 defines to the bit is used, so that every machine draws the same.
struct SeededStream: Sendable {
    private var state: UInt64

    /// The stream for one purpose on one day: independent of how much was drawn elsewhere.
    init(seed: UInt64, day: Int, purpose: Purpose) {
        let dayBits = UInt64(bitPattern: Int64(day)) &* 0x9E37_79B9_7F4A_7C15
        state = Self.mixed(seed &+ Self.mixed(dayBits ^ Self.mixed(purpose.rawValue)))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// In 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    /// One of `low...high`, each as likely.
    mutating func whole(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(next().multipliedFullWidth(by: UInt64(high - low + 1)).high)
    }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Mean 0, standard deviation 1, never beyond ±3.5: a sum of uniforms, because logarithms differ between machines.
    mutating func bell() -> Double { (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2 }

    static func mixed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
