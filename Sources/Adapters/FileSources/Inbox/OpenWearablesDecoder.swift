import HealthSyncDomain
import HealthSyncPorts

/// The Open Wearables SDK for iOS and Android, which posts up to 2,000 records to `/api/v1/sdk/users/{user}/sync`.
///
/// `{"provider","sdkVersion","syncTimestamp","data":{"records":[{"id","type","startDate","endDate","zoneOffset","source",
/// "value","unit","metadata"}],"sleep":[{"id","stage",…}],"workouts":[…]}}`. On iOS a type is HealthKit's identifier, on
/// Android the name of Health Connect's record.
struct OpenWearablesDecoder: InboxDecoder {
    var name: String { "Open Wearables SDK" }
    var provider: String { "openWearables" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        guard head.method == "POST" else { return false }
        let end = Array(head.path.suffix(4))
        return end.count == 4 && end[0] == "sdk" && end[1] == "users" && end[3] == "sync"
            || Self.isOne(BodyStart(start))
    }

    /// Whether a body with this outline is from the SDK.
    static func isOne(_ outline: BodyStart) -> Bool {
        guard let data = outline.members["data"], data.isObject else { return false }
        return outline.has("sdkVersion") || outline.has("provider")
            || !data.names.isDisjoint(with: ["records", "sleep"])
    }

    /// The SDK expects that the data is processed later.
    func answer(to head: InboxHead, body: () async -> [UInt8]?) async -> InboxAnswer {
        InboxAnswer(status: 202, json: #"{"status":"accepted"}"#)
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        PostReading(selection, in: context, receive: receive) { post, samples in
            let body = try post.jsonObject()
            guard let data = body["data"]?.object else { throw post.undecodable("the body contains no object `data`") }
            let isApple = body.text("provider") == "apple"
            for name in data.names {
                guard let list = data[name], list.isArray else { continue }
                try list.forEachElement { element in
                    switch name {
                    case "records": try OpenWearablesRecord.add(element, isApple: isApple, to: &samples)
                    case "sleep":
                        try samples.add(at: element) { samples throws(RejectedRecord) in
                            try OpenWearablesRecord.stage(element, &samples)
                        }
                    default: samples.countSkipped(name)
                    }
                }
            }
        }
    }
}

/// A record of the SDK.
private enum OpenWearablesRecord {
    static func add(_ node: JSONNode, isApple: Bool, to samples: inout DecodedSamples) throws {
        guard let record = node.object, let name = record.text("type"), !name.isEmpty else {
            return samples.reject("a record without a type", at: node)
        }
        if name.hasPrefix("HKQuantityTypeIdentifier") || name.hasPrefix("HKCategoryTypeIdentifier") {
            let type = SampleType(rawValue: DecodedSamples.short(name))
            return try samples.add(at: node) { samples throws(RejectedRecord) in
                try sample(record, type, percentIsFraction: isApple, &samples)
            }
        }
        guard case .figures(let figures) = HealthConnectTable.meaning(of: name), figures.count == 1 else {
            return samples.countSkipped(name)
        }
        try samples.add(at: node) { samples throws(RejectedRecord) in
            try sample(record, figures[0].type, percentIsFraction: false, &samples)
        }
    }

    static func stage(_ node: JSONNode, _ samples: inout DecodedSamples) throws(RejectedRecord) -> SourceSample {
        guard let record = node.object else { throw RejectedRecord("not a JSON object") }
        let value = Double(try HealthConnectStage.value(record["stage"]))
        return try sample(record, SampleTypeDefinition.sleepAnalysis.type, unit: "", value: value, &samples)
    }

    private static func sample(
        _ record: JSONObject, _ type: SampleType, percentIsFraction: Bool, _ samples: inout DecodedSamples
    ) throws(RejectedRecord) -> SourceSample {
        guard let number = record.number("value") else { throw RejectedRecord("a record without a value") }
        let unit = InboxUnit.healthKit(DecodedSamples.short(record.text("unit")))
        // Percentages are 0–100 on Android, and on iOS only oxygen saturation, in recent versions.
        let isOxygen = type.rawValue == "HKQuantityTypeIdentifierOxygenSaturation" && number > 1.5
        let isHundredfold = unit == "%" && (!percentIsFraction || isOxygen)
        let value = isHundredfold ? try Percentage.checked(number) / Percentage.whole : number
        var result = try sample(record, type, unit: unit, value: value, &samples)
        result.decimals = record["value"]?.decimals.map { $0 + (isHundredfold ? 2 : 0) }
        return result
    }

    private static func sample(
        _ record: JSONObject, _ type: SampleType, unit: String, value: Double, _ samples: inout DecodedSamples
    ) throws(RejectedRecord) -> SourceSample {
        let interval = try samples.interval(
            record.text("startDate"), record.text("endDate") ?? record.text("startDate"))
        let metadata = record["metadata"]?.object
        let offset = record.text("zoneOffset").flatMap { UTCOffset.seconds($0) }
        if let offset { samples.note(StatedOffset(instant: interval.start, seconds: offset)) }
        return SourceSample(
            type: type, unit: unit, origin: origin(record, metadata), interval: interval, value: value,
            zoneName: metadata?.text("HKTimeZone").map { DecodedSamples.short($0) } ?? offset.map(UTCOffset.text),
            detail: record.text("id").map { SampleDetail(externalID: DecodedSamples.externalID($0)) })
    }

    private static func origin(_ record: JSONObject, _ metadata: JSONObject?) -> SampleOrigin {
        let source = record["source"]?.object
        let isApple = source?["name"] != nil
        let members = [
            ("name", "deviceName"), ("manufacturer", "deviceManufacturer"),
            ("model", isApple ? "" : "deviceModel"), ("hardware", "deviceHardwareVersion"),
        ]
        let device = members.compactMap { label, member in source?.text(member).map { "\(label):\($0)" } }
        let text = DecodedSamples.short(device.joined(separator: ", "))
        let entered = metadata?.text("HKWasUserEntered")
        return SampleOrigin(
            sourceName: DecodedSamples.short(source?.text("name") ?? source?.text("appId") ?? "Open Wearables"),
            device: isApple ? text : HealthConnectDevice.text(text, type: source?["deviceType"]),
            isUserEntered: source?.text("recordingMethod") == "manual" || entered == "1" || entered == "true")
    }
}
