import HealthSyncDomain
import HealthSyncEngine
import HealthSyncPorts

/// The handlers and types that the settings select.
struct MetricChoice {
    /// The handlers to run.
    let handlers: [any HealthMetricSyncHandler]
    /// The handlers to run if the store has samples for them: those of every other quantity, unless metrics are selected.
    let furtherHandlers: [any HealthMetricSyncHandler]
    /// Types to store in addition to those that the handlers read.
    private let keptTypes: [SampleTypeDefinition]
    private let keepsAllTypes: Bool
    /// Types whose raw samples are delivered: steps, if any handler reads them, and the configured ones.
    let rawTypes: [SampleTypeDefinition]
    private let typeTable: SampleTypeTable
    private static let builtIn = SampleTypeTable.builtIn()

    /// Resolves the names in `settings`.
    ///
    /// - Throws: for an unknown name, with the nearest known one: `.configuration` if the name is in the configuration file,
    ///   else `.usage`. `.configuration` if two of the selected handlers derive the same metric, read each other's results,
    ///   or read a metric that nothing derives.
    init(settings: Settings, factory: CommandFactory) throws(SyncFailure) {
        let offered = factory.handlers(settings)
        let places = settings.locationsOfNames
        var chosen: [any HealthMetricSyncHandler] = []
        for name in settings.metrics ?? offered.map(\.metric.rawValue) {
            for handler in try Self.handlers(named: name, offered: offered, factory: factory, settings: settings)
            where !chosen.contains(where: { $0.metric == handler.metric }) {
                chosen.append(handler)
            }
        }
        try Self.addInputs(to: &chosen, offered: offered, factory: factory, settings: settings)
        try Self.requireDistinctResults(of: chosen)
        _ = try HandlerStages(chosen)
        handlers = chosen
        let further = settings.metrics == nil ? Self.defaultFurtherHandlers(settings, factory, offered) : []
        furtherHandlers = further.filter { handler in !chosen.contains { $0.metric == handler.metric } }
        keepsAllTypes = settings.types == .all
        var kept: [SampleTypeDefinition] = []
        if case .named(let names) = settings.types {
            for name in names { kept.append(try Self.type(named: name, table: factory.typeTable, places: places)) }
        }
        // Sources know the built-in types. Types that only plug-ins define are added even if no metric reads them.
        if keepsAllTypes { kept = factory.typeTable.rows.filter { Self.builtIn[$0.type] == nil } }
        keptTypes = kept
        typeTable = factory.typeTable
        let readsSteps =
            keepsAllTypes
            || (chosen.flatMap(\.reads) + kept).contains { $0.type == SampleTypeDefinition.stepCount.type }
        var raw: [SampleTypeDefinition] = readsSteps ? [.stepCount] : []
        for name in settings.rawTypes {
            let definition = try Self.type(named: name, table: factory.typeTable, places: places)
            if !raw.contains(where: { $0.type == definition.type }) { raw.append(definition) }
        }
        rawTypes = raw
    }

    /// Returns the settings of the engine.
    func engineSettings(_ settings: Settings) -> EngineSettings {
        var engineSettings = EngineSettings(
            clock: settings.clock, originPriority: settings.originPriority, handlers: handlers, keptTypes: keptTypes,
            keepsAllTypes: keepsAllTypes, rawTypes: rawTypes, typeTable: typeTable, layering: settings.layering,
            delivery: settings.delivery, shoeInactivityHours: settings.shoeInactivityHours)
        engineSettings.furtherHandlers = furtherHandlers
        engineSettings.isZoneConfigured = settings.isZoneConfigured
        for handler in handlers where !handler.settings.isEmpty {
            engineSettings.handlerSettings[handler.metric] = settings.values(of: handler)
        }
        return engineSettings
    }

    /// Returns a function that finds the handler of a metric that an earlier run derived.
    static func handlerForStoredMetric(
        _ settings: Settings, factory: CommandFactory
    ) -> @Sendable (HealthMetric) -> (any HealthMetricSyncHandler)? {
        { metric in
            try? handler(
                named: metric.rawValue, offered: factory.handlers(settings), factory: factory, settings: settings)
        }
    }

    /// Returns the quantity types that can be selected as metrics by their own names.
    ///
    /// Excludes types that a built-in metric reads, because that metric derives them better, and names of metrics that a
    /// handler of `offered` derives. A plug-in that only reads a type does not hide its metric.
    static func furtherTypes(
        _ factory: CommandFactory, offered: [any HealthMetricSyncHandler]
    ) -> [SampleTypeDefinition] {
        let derived = Set(offered.flatMap { [$0.metric] + $0.results.map(\.metric) }.map(\.rawValue))
        return factory.typeTable.rows.filter {
            $0.kind != .category && !factory.builtInTypes.contains($0.type) && !derived.contains($0.type.shortName)
        }
    }

    /// Returns the handlers of the quantities that are metrics by default. A type that only plug-ins define, and one of
    /// them reads, is not: its author made a metric of it.
    private static func defaultFurtherHandlers(
        _ settings: Settings, _ factory: CommandFactory, _ offered: [any HealthMetricSyncHandler]
    ) -> [any HealthMetricSyncHandler] {
        let read = Set(offered.flatMap { $0.reads.map(\.type) })
        return furtherTypes(factory, offered: offered).filter { builtIn[$0.type] != nil || !read.contains($0.type) }
            .compactMap { factory.quantityHandler($0, settings) }
    }

    /// Adds the handlers of the metrics whose results the chosen ones read.
    private static func addInputs(
        to chosen: inout [any HealthMetricSyncHandler], offered: [any HealthMetricSyncHandler], factory: CommandFactory,
        settings: Settings
    ) throws(SyncFailure) {
        var place = 0
        while place < chosen.count {
            let reader = chosen[place]
            for input in reader.inputs where !chosen.contains(where: { $0.derives(input) }) {
                let author =
                    offered.first { $0.derives(input) }
                    ?? (try? handler(named: input.rawValue, offered: offered, factory: factory, settings: settings))
                // Names of commands ignore case, those of metrics do not.
                guard let author, author.derives(input) else {
                    throw .configuration(
                        reader.metric.rawValue, "it reads the metric \"\(input)\", which nothing derives",
                        advice: "add the handler of \(input), or leave out \(reader.metric) with --metrics")
                }
                chosen.append(author)
            }
            place += 1
        }
    }

    /// Two handlers of one metric would overwrite each other's days.
    private static func requireDistinctResults(of handlers: [any HealthMetricSyncHandler]) throws(SyncFailure) {
        var authors: [HealthMetric: HealthMetric] = [:]
        for handler in handlers {
            for result in Set(handler.results.map(\.metric)).union([handler.metric]) {
                guard let other = authors.updateValue(handler.metric, forKey: result) else { continue }
                throw .configuration(
                    result.rawValue, "the handlers \"\(other)\" and \"\(handler.metric)\" both derive this metric",
                    advice: "select one of them with --metrics")
            }
        }
    }

    /// Returns the type with the name `name`; `places` gives the position of names in the configuration file.
    static func type(
        named name: String, table: SampleTypeTable, places: [String: String] = [:]
    ) throws(SyncFailure) -> SampleTypeDefinition {
        if let definition = table.definition(named: name) { return definition }
        let meant = Suggestion.nearest(to: name, among: table.rows.map(\.type.shortName))
        throw unknown(
            name, "no such sample type",
            advice: meant.map { "did you mean \($0)?" } ?? "use --types all to keep every type of a source", places)
    }

    private static func unknown(
        _ name: String, _ reason: String, advice: String, _ places: [String: String]
    ) -> SyncFailure {
        guard let place = places[name] else { return .usage(name, reason, advice: advice) }
        return .configuration(place, "\(reason): \"\(name)\"", advice: advice)
    }

    /// Returns the handlers of a metric or of an everyday name.
    private static func handlers(
        named name: String, offered: [any HealthMetricSyncHandler], factory: CommandFactory, settings: Settings
    ) throws(SyncFailure) -> [any HealthMetricSyncHandler] {
        do throws(SyncFailure) {
            return [try handler(named: name, offered: offered, factory: factory, settings: settings)]
        } catch {
            let meant = MetricSynonyms.metrics(for: name)
            guard meant != [name] else { throw error }
            var found: [any HealthMetricSyncHandler] = []
            for metric in meant {
                found.append(try handler(named: metric, offered: offered, factory: factory, settings: settings))
            }
            return found
        }
    }

    private static func handler(
        named name: String, offered: [any HealthMetricSyncHandler], factory: CommandFactory, settings: Settings
    ) throws(SyncFailure) -> any HealthMetricSyncHandler {
        let lowercased = name.lowercased()
        if let handler = offered.first(where: { $0.metric.rawValue.lowercased() == lowercased }) { return handler }
        let further = furtherTypes(factory, offered: offered)
        if let definition = further.first(where: { $0.type.shortName.lowercased() == lowercased }),
            let handler = factory.quantityHandler(definition, settings)
        {
            return handler
        }
        // A type that a handler reads is derived by that handler.
        let reader = factory.typeTable.definition(named: name).flatMap { definition in
            offered.first { $0.reads.contains { $0.type == definition.type } }?.metric.rawValue
        }
        let names = offered.map(\.metric.rawValue) + further.map(\.type.shortName)
        let meant = reader ?? Suggestion.nearest(to: name, among: names)
        throw unknown(
            name, "no such metric", advice: meant.map { "did you mean \($0)?" } ?? "see `healthsync metrics`",
            settings.locationsOfNames)
    }
}

extension Settings {
    /// Returns the values of the settings that a handler declares: its own, and those of the program.
    func values(of handler: any HealthMetricSyncHandler) -> HandlerSettings {
        let stated = plugIns[handler.metric] ?? HandlerSettings()
        return HandlerSettings(
            Dictionary(
                handler.settings.map { ($0, programValue($0) ?? stated.value($0)) },
                uniquingKeysWith: { first, _ in first }))
    }

    private func programValue(_ setting: HandlerSetting) -> HandlerSetting.Value? {
        switch setting {
        case .sleepGapMinutes: .number(sleepGapMinutes)
        case .sleepNightGapMinutes: .number(sleepNightGapMinutes)
        case .heartRateHoldMinutes: .number(heartRateHoldMinutes)
        default: nil
        }
    }
}

/// Everyday names of metrics.
enum MetricSynonyms {
    /// Returns the metrics that `name` means; `[name]` if it is no everyday name. Ignores case, spaces, hyphens, plus signs and
    /// underscores.
    static func metrics(for name: String) -> [String] {
        metricsByName[key(name)] ?? [name]
    }

    /// Returns the command that shows the metric that `word` means: one of `names`, ignoring case, or an everyday name; `nil`
    /// for other words.
    static func command(named word: String, among names: [String]) -> String? {
        let name = key(word)
        let own = ["heartRate": "heart", "steps": "steps", "sleep": "sleep"]
        if let meant = metricsByName[name] { return meant.first.flatMap { own[$0] } ?? "metric \(name)" }
        return (names + own.keys).first { key($0) == name }.map { own[$0] ?? "metric \($0)" }
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

extension MetricCatalog {
    /// Creates the catalog: the metrics of the built-in handlers and of plug-ins, followed by those that can be derived
    /// from any other quantity.
    init(_ settings: Settings, factory: CommandFactory) {
        let handlers = factory.handlers(settings)
        let further = MetricChoice.furtherTypes(factory, offered: handlers)
            .compactMap { factory.quantityHandler($0, settings) }
        self.init((handlers + further).flatMap(\.results))
    }
}

/// Looks up stored sample types by name.
enum StoredTypes {
    /// Returns the types with these names (short name or HealthKit identifier), each once.
    ///
    /// - Throws: `.usage` for a type without stored samples, with the most similar name of a type that has some.
    static func named(
        _ names: [String], among stored: [SampleTypeDefinition]
    ) throws(SyncFailure) -> [SampleTypeDefinition] {
        let table = SampleTypeTable(stored)
        var types: [SampleTypeDefinition] = []
        for name in names {
            guard let definition = table.definition(named: name) else {
                let names = table.rows.map(\.type.shortName)
                let suggestion =
                    names.first { MetricSynonyms.metrics(for: name).contains($0) }
                    ?? names.first { MetricSynonyms.metrics(for: $0).contains(name) }
                    ?? Suggestion.nearest(to: name, among: names)
                let others =
                    names.isEmpty
                    ? "run `healthsync import FILE` first"
                    : "stored types are \(names.joined(separator: ", "))"
                throw .usage(
                    name, "no samples of this type are stored",
                    advice: suggestion.map { "did you mean \($0)?" } ?? others)
            }
            if !types.contains(definition) { types.append(definition) }
        }
        return types
    }
}
