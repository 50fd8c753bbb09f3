/// The true values of one day; `nil` for values that nothing measured.
struct TruthFigures: Sendable {
    var steps = 0.0
    var kilometres = 0.0
    var activeEnergy: Double?
    var exerciseMinutes: Double?
    var restingHeartRate: Int64?
    var heartRate: TruthHeartRate?
    var standHours: Int64 = 0
}
