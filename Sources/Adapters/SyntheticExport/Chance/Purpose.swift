/// The purpose of a random stream. The raw values define the output of a seed: only append new cases.
enum Purpose: UInt64, Sendable {
    case travel = 1
    case night, stages, nap, wear, walks, walkDetails, watchSteps, phoneSteps, manualSteps, watchDistance
    case phoneDistance, heartRate, activeEnergy, basalEnergy, flights, standHours, standTime, restingRate
    case walkingRate, variability, breathing, oxygen, fitness, bodyMass, bloodPressure, duplicates
    case route, hours
}
