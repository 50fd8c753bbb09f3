/// Everyday names of metrics.
enum MetricSynonyms {
    /// Returns the metrics that `name` means; `[name]` if it is no everyday name. Ignores case, spaces, hyphens, plus signs and
    /// underscores.
    static func metrics(for name: String) -> [String] {
        metricsByName[key(name)] ?? [name]
    }

    /// The name in lower case without spaces, hyphens, plus signs and underscores.
    static func key(_ name: String) -> String { name.lowercased().filter { !" -_+".contains($0) } }

    /// Names in lower case without spaces: those that people use, and those of the Health app.
    static let metricsByName: [String: [String]] = [
        "weight": ["bodyMass"], "mass": ["bodyMass"], "fat": ["bodyFatPercentage"], "bodyfat": ["bodyFatPercentage"],
        "leanmass": ["leanBodyMass"], "bmi": ["bodyMassIndex"], "waist": ["waistCircumference"],
        "pulse": ["heartRate"], "bpm": ["heartRate"], "heart": ["heartRate"],
        "rhr": ["restingHeartRate"], "restingpulse": ["restingHeartRate"],
        "walkingheartrate": ["walkingHeartRateAverage"],
        "hrv": ["heartRateVariabilitySDNN"], "heartratevariability": ["heartRateVariabilitySDNN"],
        "sdnn": ["heartRateVariabilitySDNN"], "rmssd": ["heartRateVariabilityRMSSD"],
        "cardiorecovery": ["heartRateRecoveryOneMinute"], "heartraterecovery": ["heartRateRecoveryOneMinute"],
        "afib": ["atrialFibrillationBurden"], "afibhistory": ["atrialFibrillationBurden"],
        "spo2": ["oxygenSaturation"], "oxygen": ["oxygenSaturation"], "bloodoxygen": ["oxygenSaturation"],
        "bloodpressure": ["bloodPressureSystolic", "bloodPressureDiastolic"], "systolic": ["bloodPressureSystolic"],
        "diastolic": ["bloodPressureDiastolic"],
        "glucose": ["bloodGlucose"], "bloodsugar": ["bloodGlucose"], "temperature": ["bodyTemperature"],
        "wristtemperature": ["appleSleepingWristTemperature"], "basaltemperature": ["basalBodyTemperature"],
        "respiration": ["respiratoryRate"], "breathing": ["respiratoryRate"], "breathingrate": ["respiratoryRate"],
        "breathingdisturbances": ["appleSleepingBreathingDisturbances"],
        "fitness": ["vO2Max"], "vo2": ["vO2Max"], "cardiofitness": ["vO2Max"],
        "peakflow": ["peakExpiratoryFlowRate"], "fev1": ["forcedExpiratoryVolume1"], "fvc": ["forcedVitalCapacity"],
        "inhaler": ["inhalerUsage"], "insulin": ["insulinDelivery"], "falls": ["numberOfTimesFallen"],
        "bac": ["bloodAlcoholContent"], "alcohol": ["numberOfAlcoholicBeverages"],
        "alcoholconsumption": ["numberOfAlcoholicBeverages"], "drinks": ["numberOfAlcoholicBeverages"],
        "stepcount": ["steps"], "distance": ["walkingDistance"], "walking": ["walkingDistance"],
        "walkingrunningdistance": ["walkingDistance"], "cyclingdistance": ["distanceCycling"],
        "swimmingdistance": ["distanceSwimming"], "wheelchairdistance": ["distanceWheelchair"],
        "rowingdistance": ["distanceRowing"], "strokes": ["swimmingStrokeCount"], "pushes": ["pushCount"],
        "energy": ["activeEnergy"], "calories": ["activeEnergy"], "activecalories": ["activeEnergy"],
        "restingenergy": ["basalEnergyBurned"], "basalenergy": ["basalEnergyBurned"], "bmr": ["basalEnergyBurned"],
        "exercise": ["exerciseMinutes"], "stand": ["appleStandTime"], "standminutes": ["appleStandTime"],
        "standtime": ["appleStandTime"], "move": ["appleMoveTime"], "moveminutes": ["appleMoveTime"],
        "movetime": ["appleMoveTime"], "stairs": ["flightsClimbed"], "floors": ["flightsClimbed"],
        "flights": ["flightsClimbed"], "stairspeedup": ["stairAscentSpeed"], "stairspeeddown": ["stairDescentSpeed"],
        "steplength": ["walkingStepLength"], "stridelength": ["runningStrideLength"], "cadence": ["cyclingCadence"],
        "ftp": ["cyclingFunctionalThresholdPower"], "groundcontacttime": ["runningGroundContactTime"],
        "verticaloscillation": ["runningVerticalOscillation"], "effort": ["physicalEffort"],
        "walkingasymmetry": ["walkingAsymmetryPercentage"], "doublesupporttime": ["walkingDoubleSupportPercentage"],
        "walkingsteadiness": ["appleWalkingSteadiness"], "sixminutewalk": ["sixMinuteWalkTestDistance"],
        "daylight": ["timeInDaylight"], "uvindex": ["uVExposure"], "noise": ["environmentalAudioExposure"],
        "environmentalsoundlevels": ["environmentalAudioExposure"], "headphones": ["headphoneAudioExposure"],
        "headphoneaudiolevels": ["headphoneAudioExposure"], "depth": ["underwaterDepth"],
        "water": ["dietaryWater"], "caffeine": ["dietaryCaffeine"], "protein": ["dietaryProtein"],
        "carbs": ["dietaryCarbohydrates"], "carbohydrates": ["dietaryCarbohydrates"],
        "dietaryenergy": ["dietaryEnergyConsumed"], "food": ["dietaryEnergyConsumed"],
        "totalfat": ["dietaryFatTotal"], "dietaryfat": ["dietaryFatTotal"], "saturatedfat": ["dietaryFatSaturated"],
        "monounsaturatedfat": ["dietaryFatMonounsaturated"], "polyunsaturatedfat": ["dietaryFatPolyunsaturated"],
        "sugar": ["dietarySugar"], "fiber": ["dietaryFiber"], "fibre": ["dietaryFiber"],
        "sodium": ["dietarySodium"], "cholesterol": ["dietaryCholesterol"], "calcium": ["dietaryCalcium"],
        "iron": ["dietaryIron"], "magnesium": ["dietaryMagnesium"], "potassium": ["dietaryPotassium"],
        "zinc": ["dietaryZinc"], "folate": ["dietaryFolate"], "vitamina": ["dietaryVitaminA"],
        "vitaminb6": ["dietaryVitaminB6"], "vitaminb12": ["dietaryVitaminB12"], "vitaminc": ["dietaryVitaminC"],
        "vitamind": ["dietaryVitaminD"], "vitamine": ["dietaryVitaminE"], "vitamink": ["dietaryVitaminK"],
    ]
}
