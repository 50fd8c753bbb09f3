/// A stream of random numbers that depends only on its seed (SplitMix64, Steele, Lea and Flood 2014). It only uses
/// arithmetic that IEEE 754 defines exactly, so every machine generates the same numbers.
struct SeededStream: Sendable {
    private var state: UInt64

    /// Creates the stream for one purpose on one day, independent of all other streams.
    init(seed: UInt64, day: Int, purpose: Purpose) {
        let dayBits = UInt64(bitPattern: Int64(day)) &* 0x9E37_79B9_7F4A_7C15
        state = Self.mixed(seed &+ Self.mixed(dayBits ^ Self.mixed(purpose.rawValue)))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// Returns a number in 0..<1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func uniform(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    /// Returns an integer in `low...high`, uniformly distributed.
    mutating func whole(_ low: Int64, _ high: Int64) -> Int64 {
        low + Int64(next().multipliedFullWidth(by: UInt64(high - low + 1)).high)
    }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    /// Returns a number with mean 0 and standard deviation 1, within ±3.5: a sum of uniform numbers, because logarithms
    /// differ between machines.
    mutating func bell() -> Double { (unit() + unit() + unit() + unit() - 2) * 1.732_050_807_568_877_2 }

    static func mixed(_ bits: UInt64) -> UInt64 {
        var bits = bits
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// The purpose of a random stream. The raw values define the output of a seed: only append new cases.
enum Purpose: UInt64, Sendable {
    case travel = 1
    case night, stages, nap, wear, walks, walkDetails, watchSteps, phoneSteps, manualSteps, watchDistance
    case phoneDistance, heartRate, activeEnergy, basalEnergy, flights, standHours, standTime, restingRate
    case walkingRate, variability, breathing, oxygen, fitness, bodyMass, bloodPressure, duplicates
    case route, hours
}
