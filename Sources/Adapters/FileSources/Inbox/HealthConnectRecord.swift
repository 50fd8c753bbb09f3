import HealthSyncDomain

/// Decodes a record of Health Connect, in the spellings of the apps that send them.
struct HealthConnectRecord {
    /// The name of the record type in any spelling.
    let kind: String
    let meaning: HealthConnectTable.Meaning
    let record: JSONObject
    let origin: SampleOrigin
    /// Health Connect's identifier of the record.
    let id: String?

    init?(_ node: JSONNode, kind: String) {
        guard let record = node.object, let meaning = HealthConnectTable.meaning(of: kind) else { return nil }
        self.record = record
        self.kind = kind
        self.meaning = meaning
        origin = HealthConnectOrigin.origin(of: record)
        id = (record.text("uuid") ?? record["metadata"]?.object?.text("id")).map(DecodedSamples.externalID)
    }

    func add(to samples: inout DecodedSamples) throws {
        if record["bucket_start"] != nil { return try addBucket(to: &samples) }
        switch meaning {
        case .sleep: try addSleep(to: &samples)
        case .category(let type, let field, let states):
            try samples.add(at: record.node) { samples throws(RejectedRecord) in
                SourceSample(
                    type: type, unit: "", origin: origin, interval: try interval(of: record, &samples),
                    value: Double(try state(field, states)), detail: detail(part: nil))
            }
        case .figures(let figures):
            guard let series = record["samples"], series.isArray else {
                return try add(figures, of: record, isSeries: isSeries, to: &samples)
            }
            var starts: [Instant] = []
            try series.forEachElement { element in
                guard let object = element.object else { return samples.reject("not a JSON object", at: element) }
                if let start = try? interval(of: object, &samples).start { starts.append(start) }
                try add(figures, of: object, isSeries: true, to: &samples)
            }
            for figure in figures { stateAll(of: figure.type, starts, &samples) }
        }
    }

    /// Whether the record states several samples, so that it may state fewer when it is edited.
    var hasSeveralSamples: Bool {
        if case .sleep = meaning { return true }
        return record["samples"]?.isArray ?? false
    }

    /// Whether the app sends the measurements of one record as several, under one identifier.
    private var isSeries: Bool { kind.lowercased().hasPrefix("heart") && record["bpm"] != nil }

    private func add(
        _ figures: [HealthConnectTable.Figure], of object: JSONObject, isSeries: Bool, to samples: inout DecodedSamples
    ) throws {
        let found = figures.compactMap { figure in
            figure.paths.lazy.compactMap { object.value(at: $0) }.first { $0.number != nil }.map { (figure, $0) }
        }
        if found.isEmpty, figures.count == 1, let mean = object.number("avg") {
            return try addMean(mean, figures[0], of: object, to: &samples)
        }
        guard !found.isEmpty else { return samples.reject("a record without a value", at: object.node) }
        for (figure, stated) in found {
            try samples.add(at: object.node) { samples throws(RejectedRecord) in
                guard let number = stated.number else { throw RejectedRecord("a record without a value") }
                let value = figure.isHundredfold ? try Percentage.checked(number) : number
                let interval = try interval(of: object, &samples)
                let isDay =
                    origin.sourceName == HealthConnectOrigin.aggregateName
                    && samples.beginsDay(interval, start: startText(of: object))
                return SourceSample(
                    type: figure.type, unit: figure.unit,
                    origin: isDay ? HealthConnectOrigin.aggregate : origin, interval: interval,
                    value: value / figure.divisor,
                    detail: detail(part: isSeries ? "\(interval.start.milliseconds)" : nil),
                    decimals: figure.decimals(of: stated))
            }
        }
    }

    /// Adds the mean of a window that begins at the time of the record and whose length the app does not state.
    private func addMean(
        _ mean: Double, _ figure: HealthConnectTable.Figure, of object: JSONObject, to samples: inout DecodedSamples
    ) throws {
        try samples.add(at: object.node) { samples throws(RejectedRecord) in
            SourceSample(
                type: figure.type, unit: figure.unit, origin: HealthConnectOrigin.aggregate,
                interval: try interval(of: object, &samples), value: mean / figure.divisor,
                detail: SampleDetail(
                    minimum: object.number("min").map { $0 / figure.divisor },
                    maximum: object.number("max").map { $0 / figure.divisor }))
        }
    }

    private func addSleep(to samples: inout DecodedSamples) throws {
        guard id == nil, let extent = extent(&samples) else { return try addStages(to: &samples) }
        try samples.addSession(of: origin.sourceName, extent) { try addStages(to: &$0) }
    }

    /// Returns the time from the first start to the last end of the session and its stages; `nil` if none is valid.
    private func extent(_ samples: inout DecodedSamples) -> InstantRange? {
        var extent = try? session(&samples)
        record["stages"]?.forEachElement { element in
            guard let stage = element.object, let own = try? interval(of: stage, &samples) else { return }
            let known = extent ?? own
            extent = InstantRange(start: min(known.start, own.start), end: max(known.end, own.end))
        }
        return extent
    }

    private func addStages(to samples: inout DecodedSamples) throws {
        let type = SampleTypeDefinition.sleepAnalysis.type
        guard let stages = record["stages"], stages.firstElement != nil else {
            if let start = try? session(&samples).start { stateAll(of: type, [start], &samples) }
            return try samples.add(at: record.node) { samples throws(RejectedRecord) in
                SourceSample(
                    type: type, unit: "", origin: origin, interval: try session(&samples), value: 1,
                    detail: detail(part: nil))
            }
        }
        var starts: [Instant] = []
        defer { stateAll(of: type, starts, &samples) }
        try stages.forEachElement { element in
            try samples.add(at: element) { samples throws(RejectedRecord) in
                guard let stage = element.object else { throw RejectedRecord("not a JSON object") }
                let interval = try interval(of: stage, &samples)
                starts.append(interval.start)
                return SourceSample(
                    type: type, unit: "", origin: origin, interval: interval,
                    value: Double(try HealthConnectStage.value(stage["stage"])),
                    detail: detail(part: "\(interval.start.milliseconds)"))
            }
        }
    }

    private func stateAll(of type: SampleType, _ starts: [Instant], _ samples: inout DecodedSamples) {
        if let id { samples.stateAll(of: id, type: type, starts: starts) }
    }

    /// Adds the sum or the mean of a window of time, which the app computed from several records.
    private func addBucket(to samples: inout DecodedSamples) throws {
        guard case .figures(let figures) = meaning, figures.count == 1 else {
            return samples.reject("a window of a type without windows", at: record.node)
        }
        let figure = figures[0]
        try samples.add(at: record.node) { samples throws(RejectedRecord) in
            guard let value = record.number("total") ?? record.number("avg") else {
                throw RejectedRecord("a record without a value")
            }
            var detail = SampleDetail(
                minimum: record.number("min").map { $0 / figure.divisor },
                maximum: record.number("max").map { $0 / figure.divisor })
            detail.measurementCount = record.number("sample_count").flatMap { Int(exactly: $0) }
            return SourceSample(
                type: figure.type, unit: figure.unit,
                origin: HealthConnectOrigin.aggregate,
                interval: try samples.interval(record.text("bucket_start"), record.text("bucket_end")),
                value: value / figure.divisor, detail: detail)
        }
    }

    private func state(_ field: String?, _ states: [String: Int]) throws(RejectedRecord) -> Int {
        guard let field else { return 0 }
        let stated = record[field]
        let name = stated?.text?.lowercased() ?? stated?.number.flatMap { Int(exactly: $0) }.map(String.init)
        guard let name, let value = states[name] else {
            throw RejectedRecord("an unknown state", detail: StateProblem.text(name, of: kind))
        }
        return value
    }

    private func interval(
        of object: JSONObject, _ samples: inout DecodedSamples
    ) throws(RejectedRecord) -> InstantRange {
        let start = startText(of: object)
        return try samples.interval(start, object.first(["end_time", "endTime", "time"])?.text ?? start)
    }

    private func startText(of object: JSONObject) -> String? {
        object.first(["start_time", "startTime", "time"])?.text
    }

    /// Returns the interval of a session. The webhooks state its end and its length.
    private func session(_ samples: inout DecodedSamples) throws(RejectedRecord) -> InstantRange {
        guard let endText = record.text("session_end_time") else { return try interval(of: record, &samples) }
        let end = try samples.instant(endText)
        guard let seconds = record.number("duration_seconds"), (0...172_800).contains(seconds) else {
            throw RejectedRecord("a session without a plausible length")
        }
        return try PlausibleTime.interval(
            from: end.advanced(byMilliseconds: -Int64((seconds * 1000).rounded())), to: end)
    }

    /// Returns the detail with the identifier of a sample: that of the record, and its start if the record has several.
    private func detail(part: String?) -> SampleDetail? {
        id.map { id in SampleDetail(externalID: part.map { "\(id)#\($0)" } ?? id) }
    }
}

/// The origin of a record of Health Connect: the app that wrote it and the device.
private enum HealthConnectOrigin {
    /// The source name of records that name no app: sums and means over records of several apps, and the records of
    /// older versions of HC Webhook.
    static let aggregateName = "Health Connect"
    static let aggregate = SampleOrigin(sourceName: aggregateName, isPreAggregated: true)

    static func origin(of record: JSONObject) -> SampleOrigin {
        let metadata = record["metadata"]?.object
        let app =
            record.text("source") ?? metadata?.text("data_origin") ?? metadata?.text("dataOrigin")
            ?? metadata?["dataOrigin"]?.object?.text("packageName")
        guard let app, !app.isEmpty else { return SampleOrigin(sourceName: aggregateName) }
        let method = record.first(["recording_method"]) ?? metadata?.first(["recording_method", "recordingMethod"])
        let device = record["device"]?.object ?? metadata?["device"]?.object
        let parts = [("manufacturer", device?.text("manufacturer")), ("model", device?.text("model"))]
        let text = parts.compactMap { label, text in text.map { "\(label):\($0)" } }.joined(separator: ", ")
        return SampleOrigin(
            sourceName: DecodedSamples.short(app),
            device: HealthConnectDevice.text(DecodedSamples.short(text), type: device?["type"]),
            // Health Connect's RECORDING_METHOD_MANUAL_ENTRY is 3.
            isUserEntered: method?.number == 3 || method?.text?.lowercased().hasPrefix("manual") ?? false)
    }
}

/// Maps the sleep stages of Health Connect, and of apps that also run on iOS, to HealthKit's numbers.
enum HealthConnectStage {
    /// By name in lower case without other characters than letters.
    private static let names = [
        "unknown": 1, "sleeping": 1, "asleep": 1, "awake": 2, "outofbed": 2, "awakeinbed": 2, "light": 3, "core": 3,
        "deep": 4, "rem": 5, "inbed": 0, "asleepunspecified": 1, "asleepcore": 3, "asleepdeep": 4, "asleeprem": 5,
    ]
    /// By Health Connect's own number: unknown, awake, sleeping, out of bed, light, deep, REM, awake in bed.
    private static let numbers = [1, 2, 1, 2, 3, 4, 5, 2]

    /// Returns the number of a stage given by a name in any spelling, such as `out_of_bed`, `OUT_OF_BED` or HealthKit's
    /// `asleepCore`, or by Health Connect's number, which HC Webhook sends as text.
    static func value(_ stage: JSONNode?) throws(RejectedRecord) -> Int {
        if let text = stage?.text {
            let name = String(
                text.prefix(64).lowercased().unicodeScalars.filter { $0 != "_" && $0 != "-" && $0 != " " })
            if let value = names[name] { return value }
        }
        let number = stage?.number.flatMap { Int(exactly: $0) } ?? stage?.text.flatMap { Int($0) }
        guard let number, numbers.indices.contains(number) else {
            throw RejectedRecord(
                "an unknown sleep state",
                detail: StateProblem.text(
                    stage?.text ?? number.map(String.init), of: SampleTypeDefinition.sleepAnalysis.type.rawValue))
        }
        return numbers[number]
    }
}

/// The device of a record of Health Connect.
enum HealthConnectDevice {
    /// By Health Connect's `Device.TYPE_…`: 1 watch, 2 phone, 4 ring, 6 fitness band. A scale, a head-mounted device, a chest
    /// strap and a smart display are no class of their own.
    private static let types = [1: "watch", 2: "phone", 4: "ring", 6: "band"]
    /// By name in lower case, as apps write the constants.
    private static let names = [
        "watch": "watch", "phone": "phone", "ring": "ring", "band": "band", "fitness_band": "band",
    ]

    /// Returns the text of a device, with its type if no word of the text names a class: models such as `SM-R960` do not.
    static func text(_ text: String, type: JSONNode?) -> String {
        guard let name = name(of: type), !DeviceClass.isNamed(in: text) else { return text }
        return DeviceText.adding(type: name, to: text)
    }

    private static func name(of type: JSONNode?) -> String? {
        if let number = type?.number.flatMap({ Int(exactly: $0) }) ?? type?.text.flatMap({ Int($0) }) {
            return types[number]
        }
        guard let text = type?.text?.prefix(64).lowercased() else { return nil }
        return names[text.hasBytePrefix("type_") ? String(text.utf8.dropFirst(5)) ?? "" : text]
    }
}
