/// The conversion of a value to another unit: `value * factor + offset`.
public struct UnitConversion: Hashable, Sendable {
    /// The factor.
    public let factor: Double
    /// The offset, in the target unit, added after the multiplication. It is 0 except between temperature scales.
    public let offset: Double

    /// Creates the conversion `value * factor + offset`.
    public init(factor: Double, offset: Double = 0) {
        self.factor = factor
        self.offset = offset
    }

    /// Returns the converted value.
    @inlinable
    public func callAsFunction(_ value: Double) -> Double { value * factor + offset }
}

/// Factors that convert values from the units found in files to the canonical unit of a quantity.
enum UnitFactors {
    // The thermochemical calorie of HealthKit: HKUnit.kilocalorie is 4184 J.
    /// To kcal.
    static let energy: [String: Double] = ["Cal": 1, "cal": 0.001, "kJ": 1 / 4.184, "J": 1 / 4184]
    /// To km.
    static let distance: [String: Double] = [
        "m": 0.001, "mi": 1.609344, "ft": 0.0003048, "yd": 0.0009144, "cm": 0.00001,
    ]
    /// To m.
    static let depth: [String: Double] = ["km": 1000, "cm": 0.01, "ft": 0.3048, "yd": 0.9144, "mi": 1609.344]
    /// To cm.
    static let length: [String: Double] = ["m": 100, "mm": 0.1, "in": 2.54, "ft": 30.48]
    /// To min.
    static let time: [String: Double] = ["s": 1.0 / 60, "hr": 60, "ms": 1.0 / 60_000]
    /// To ms.
    static let shortTime: [String: Double] = ["s": 1000, "min": 60_000]
    /// To count/min.
    static let frequency: [String: Double] = ["count/s": 60, "bpm": 1, "Hz": 60]
    /// To kg.
    static let bodyMass: [String: Double] = ["g": 0.001, "lb": 0.45359237, "st": 6.35029318, "oz": 0.028349523125]
    /// To m/s.
    static let speed: [String: Double] = ["km/hr": 1 / 3.6, "mi/hr": 0.44704, "ft/s": 0.3048]
    /// To g.
    static let grams: [String: Double] = ["mg": 0.001, "mcg": 0.000001, "oz": 28.349523125, "kg": 1000]
    /// To mg.
    static let milligrams: [String: Double] = ["g": 1000, "mcg": 0.001]
    /// To mcg.
    static let micrograms: [String: Double] = ["g": 1_000_000, "mg": 1000]
    /// To mL.
    static let volume: [String: Double] = [
        "L": 1000, "fl_oz_us": 29.5735295625, "fl_oz_imp": 28.4130625, "cup_us": 236.5882365, "cup_imp": 284.130625,
        "pt_us": 473.176473, "pt_imp": 568.26125,
    ]
    /// To mmHg.
    static let pressure: [String: Double] = ["kPa": 7.500615613, "cmAq": 0.735559240]
    /// To degC, together with `temperatureOffsets`.
    static let temperature: [String: Double] = ["degF": 5.0 / 9, "K": 1]
    /// Offsets added to convert to degC.
    static let temperatureOffsets: [String: Double] = ["degF": -160.0 / 9, "K": -273.15]
    /// To mg/dL: glucose has 180.15588 g/mol.
    static let glucose: [String: Double] = [
        "mmol<180.1558800000541>/L": 18.015588, "mmol<180.15588000005408>/L": 18.015588, "mmol/L": 18.015588,
    ]
}
