/// Everyday names of metrics.
enum MetricSynonyms {
    /// Returns the metrics that `name` means; `[name]` if it is no everyday name. Ignores case, spaces, hyphens and
    /// underscores.
    static func metrics(for name: String) -> [String] {
        metricsByName[name.lowercased().filter { !" -_".contains($0) }] ?? [name]
    }

    /// Names in lower case without spaces.
    static let metricsByName: [String: [String]] = [
        "weight": ["bodyMass"], "mass": ["bodyMass"], "fat": ["bodyFatPercentage"], "bodyfat": ["bodyFatPercentage"],
        "leanmass": ["leanBodyMass"], "bmi": ["bodyMassIndex"], "waist": ["waistCircumference"],
        "pulse": ["heartRate"], "bpm": ["heartRate"], "heart": ["heartRate"],
        "rhr": ["restingHeartRate"], "restingpulse": ["restingHeartRate"],
        "hrv": ["heartRateVariabilitySDNN"], "heartratevariability": ["heartRateVariabilitySDNN"],
        "rmssd": ["heartRateVariabilityRMSSD"],
        "spo2": ["oxygenSaturation"], "oxygen": ["oxygenSaturation"], "bloodoxygen": ["oxygenSaturation"],
        "bloodpressure": ["bloodPressureSystolic", "bloodPressureDiastolic"], "systolic": ["bloodPressureSystolic"],
        "diastolic": ["bloodPressureDiastolic"],
        "glucose": ["bloodGlucose"], "bloodsugar": ["bloodGlucose"], "temperature": ["bodyTemperature"],
        "respiration": ["respiratoryRate"], "breathing": ["respiratoryRate"], "breathingrate": ["respiratoryRate"],
        "fitness": ["vO2Max"], "cardiofitness": ["vO2Max"],
        "stepcount": ["steps"], "distance": ["walkingDistance"], "walking": ["walkingDistance"],
        "energy": ["activeEnergy"], "calories": ["activeEnergy"], "activecalories": ["activeEnergy"],
        "exercise": ["exerciseMinutes"], "stairs": ["flightsClimbed"], "floors": ["flightsClimbed"],
        "flights": ["flightsClimbed"], "daylight": ["timeInDaylight"], "water": ["dietaryWater"],
        "caffeine": ["dietaryCaffeine"], "protein": ["dietaryProtein"], "carbs": ["dietaryCarbohydrates"],
        "carbohydrates": ["dietaryCarbohydrates"], "alcohol": ["numberOfAlcoholicBeverages"],
        "insulin": ["insulinDelivery"], "noise": ["environmentalAudioExposure"],
    ]
}
