/// The part before the records: the declaration, the document type of iOS 17, and the user's characteristics.
enum ExportHead {
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
