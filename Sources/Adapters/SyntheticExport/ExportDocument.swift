import HealthSyncDomain

/// The main file of an export, generated piece by piece on demand: nothing of it is kept.
struct ExportDocument: Sendable {
    private let planner: DayPlanner
    private let series: [any RecordSeries]
    private let tail = Array("</HealthData>\n".utf8)
    private var page: ExportPage
    private var seriesIndex = 0
    private var day: CalendarDay
    private var isFinished = false
    private(set) var byteCount: Int64 = 0

    /// The length at which a piece is complete; it is longer by at most one day of one type.
    private static let pieceBytes = 256 * 1024

    init(scenario: Scenario) {
        planner = scenario.planner
        series = SeriesCatalog.all(scenario)
        day = scenario.timeline.days.first
        page = ExportPage(
            dates: AppleDate(offsetSeconds: scenario.exportOffset), truth: TruthLedger(timeline: scenario.timeline))
        page.write(ExportHead.text(exportDate: page.dates.text(scenario.exportMoment)))
    }

    /// The number of written days, counted once for each type, and their total.
    var progress: (done: Int64, total: Int64) {
        let days = planner.timeline.days
        return (Int64(seriesIndex * days.count + planner.timeline.index(of: day)), Int64(series.count * days.count))
    }

    var records: Int { page.records }
    var counts: [TruthRecordCount] { page.counts }
    var truth: TruthLedger { page.truth }

    /// Returns the next piece, or `nil` after the last.
    mutating func next() -> [UInt8]? {
        guard !isFinished else { return nil }
        page.bytes.reserveCapacity(Self.pieceBytes + Self.pieceBytes / 4)
        while seriesIndex < series.count, page.bytes.count < Self.pieceBytes { writeDay() }
        if seriesIndex == series.count {
            page.bytes.append(contentsOf: tail)
            isFinished = true
        }
        defer { page.bytes = [] }
        byteCount += Int64(page.bytes.count)
        return page.bytes
    }

    private mutating func writeDay() {
        let current = series[seriesIndex]
        page.begin(current.type, seed: planner.seed, day: day.ordinal)
        current.write(planner.plan(of: day), to: &page)
        if day < planner.timeline.days.last {
            day = day.advanced(by: 1)
        } else {
            page.endType()
            seriesIndex += 1
            day = planner.timeline.days.first
        }
    }
}

/// The part before the records: the declaration, the document type of iOS 17, and the user's characteristics.
private enum ExportHead {
    static func text(exportDate: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 13 -->
        \(declarations)
        ]>
        <HealthData locale="en_GB">
         <ExportDate value="\(exportDate)"/>
         <Me HKCharacteristicTypeIdentifierDateOfBirth="1984-03-09" \
        HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale" \
        HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
        HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
        HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

        """
    }

    private static let declarations =
        ([
            "<!ELEMENT HealthData (ExportDate,Me,"
                + "(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|Audiogram|VisionPrescription)*)>",
            list("HealthData", "locale!"),
            empty("ExportDate", "value!"),
            empty(
                "Me", "HKCharacteristicTypeIdentifierDateOfBirth!", "HKCharacteristicTypeIdentifierBiologicalSex!",
                "HKCharacteristicTypeIdentifierBloodType!", "HKCharacteristicTypeIdentifierFitzpatrickSkinType!",
                "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse!"),
            "<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>",
            list(
                "Record", "type!", "unit", "value", "sourceName!", "sourceVersion", "device", "creationDate",
                "startDate!",
                "endDate!"),
            "<!-- Note: Any Records that appear as children of a correlation also appear as top-level records in this "
                + "document. -->",
            "<!ELEMENT Correlation ((MetadataEntry|Record)*)>",
            list(
                "Correlation", "type!", "sourceName!", "sourceVersion", "device", "creationDate", "startDate!",
                "endDate!"),
            "<!ELEMENT Workout ((MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics)*)>",
            list(
                "Workout", "workoutActivityType!", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
                "totalEnergyBurned", "totalEnergyBurnedUnit", "sourceName!", "sourceVersion", "device", "creationDate",
                "startDate!", "endDate!"),
            empty("WorkoutEvent", "type!", "date!", "duration", "durationUnit"),
            empty(
                "WorkoutStatistics", "type!", "startDate!", "endDate!", "average", "minimum", "maximum", "sum", "unit"),
            "<!ELEMENT WorkoutRoute ((MetadataEntry|FileReference)*)>",
            list(
                "WorkoutRoute", "sourceName!", "sourceVersion", "device", "creationDate", "startDate!", "endDate!"),
            empty("FileReference", "path!"),
            empty(
                "ActivitySummary", "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal",
                "activeEnergyBurnedUnit", "appleMoveTime", "appleMoveTimeGoal", "appleExerciseTime",
                "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal"),
            empty("MetadataEntry", "key!", "value!"),
            "<!-- Note: Heart Rate Variability records captured by Apple Watch may include an associated list of "
                + "beat-to-beat readings. -->",
            "<!ELEMENT HeartRateVariabilityMetadataList (InstantaneousBeatsPerMinute*)>",
            empty("InstantaneousBeatsPerMinute", "bpm!", "time!"),
        ]).joined(separator: "\n") + "\n" + clinicalDeclarations

    /// Declarations of elements that the synthetic user has no data for.
    private static let clinicalDeclarations =
        ([
            empty(
                "ClinicalRecord", "type!", "identifier!", "sourceName!", "sourceURL!", "fhirVersion!", "receivedDate!",
                "resourceFilePath!"),
            "<!ELEMENT Audiogram (SensitivityPoint*)>",
            list(
                "Audiogram", "type!", "sourceName!", "sourceVersion", "device", "creationDate", "startDate!", "endDate!"
            ),
            empty(
                "SensitivityPoint", "frequencyValue!", "frequencyUnit!", "leftEarValue", "leftEarUnit", "rightEarValue",
                "rightEarUnit"),
            "<!ELEMENT VisionPrescription ((MetadataEntry|RightEye|LeftEye|Attachment)*)>",
            list("VisionPrescription", "type!", "dateIssued!", "expirationDate", "brand"),
            empty("RightEye", "sphere", "sphereUnit", "cylinder", "cylinderUnit", "axis", "axisUnit"),
            empty("LeftEye", "sphere", "sphereUnit", "cylinder", "cylinderUnit", "axis", "axisUnit"),
            empty("Attachment", "identifier"),
        ]).joined(separator: "\n")

    private static func empty(_ element: String, _ attributes: String...) -> String {
        "<!ELEMENT \(element) EMPTY>\n" + list(element, attributes)
    }

    private static func list(_ element: String, _ attributes: String...) -> String { list(element, attributes) }

    /// Lists attributes one per line in aligned columns; those that end in `!` are required.
    private static func list(_ element: String, _ attributes: [String]) -> String {
        let width = attributes.map { $0.hasSuffix("!") ? $0.count - 1 : $0.count }.max() ?? 0
        let lines = attributes.map { attribute in
            let isRequired = attribute.hasSuffix("!")
            let name = isRequired ? String(attribute.dropLast()) : attribute
            let padding = String(repeating: " ", count: width - name.count)
            return "  \(name)\(padding) CDATA #\(isRequired ? "REQUIRED" : "IMPLIED")"
        }
        return (["<!ATTLIST \(element)"] + lines + [">"]).joined(separator: "\n")
    }
}
