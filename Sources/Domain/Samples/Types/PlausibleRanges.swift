/// The bounds of plausible values of the built-in types, each in the unit of its type. They are wide: no living person and no
/// place on Earth is outside, so that a value outside is an error of an app, a unit or a sensor.
enum PlausibleRanges {
    /// More than nothing, for quantities that a body always has.
    private static let something = Double.leastNormalMagnitude

    /// Beats per minute.
    static let heartRates = 20.0...300.0
    /// The fall of the heart rate in a minute, in beats per minute.
    static let heartRateFalls = -300.0...300.0
    /// Fractions.
    static let fractions = 0.0...1.0
    /// Fractions that no body is without.
    static let parts = something...1.0
    /// Milliseconds between heartbeats, and of a step's contact with the ground.
    static let shortTimes = 0.0...10_000.0
    /// Breaths per minute.
    static let breaths = something...200.0
    /// mmHg.
    static let pressures = something...500.0
    /// cm, of a body or a part of it.
    static let lengths = something...300.0
    /// cm, around a body.
    static let girths = something...500.0
    /// cm, of a step or a stride.
    static let strides = 0.0...1_000.0
    /// kg.
    static let masses = something...1_000.0
    /// kg/m².
    static let massIndices = something...500.0
    /// mg/dL.
    static let glucose = something...5_000.0
    /// °C, of a body.
    static let bodyTemperatures = 10.0...50.0
    /// °C, of a wrist.
    static let wristTemperatures = 0.0...50.0
    /// °C, of water that someone is in.
    static let waterTemperatures = -10.0...100.0
    /// dB.
    static let levels = 0.0...250.0
    /// L, of a breath.
    static let lungVolumes = 0.0...30.0
    /// L/min.
    static let flows = 0.0...3_000.0
    /// µS.
    static let conductances = 0.0...1_000_000.0
    /// m, under water.
    static let depths = 0.0...11_000.0
    /// mL/min·kg.
    static let oxygenUptakes = something...150.0
    /// m/s, of someone who moves by their own power or downhill.
    static let speeds = 0.0...150.0
    /// W.
    static let powers = 0.0...10_000.0
    /// Revolutions per minute.
    static let cadences = 0.0...1_000.0
    /// Scores, indices and efforts, which are not negative.
    static let scores = 0.0...10_000.0
    /// m, in six minutes.
    static let walks = 0.0...10_000.0
}

/// The plausible values of a sample, −2^53 to 2^53 in the unit of its type.
///
/// No measured value is larger, and sums of any number of such values are finite.
package enum PlausibleValue {
    /// Returns whether `value` is finite and within these bounds.
    @inlinable
    package static func contains(_ value: Double) -> Bool { value.magnitude <= 0x1p53 }

    /// Returns whether `value` is missing or plausible.
    package static func contains(_ value: Double?) -> Bool { value.map { contains($0) } ?? true }
}
