/// What chance is drawn for. The numbers are part of what a seed means: new ones are appended.
enum Purpose: UInt64, Sendable {
    case travel = 1
    case night, stages, nap, wear, walks, walkDetails, watchSteps, phoneSteps, manualSteps, watchDistance
    case phoneDistance, heartRate, activeEnergy, basalEnergy, flights, standHours, standTime, restingRate
    case walkingRate, variability, breathing, oxygen, fitness, bodyMass, bloodPressure, duplicates
    case route, hours
}
