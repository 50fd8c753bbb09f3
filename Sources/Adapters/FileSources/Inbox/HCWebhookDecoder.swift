import HealthSyncDomain
import HealthSyncPorts

/// HC Webhook, an Android app that posts the last 48 hours of Health Connect again and again.
///
/// The body is one object with a list for each record type: `{"timestamp":…,"app_version":…,"steps":[{"count",
/// "start_time","end_time","metadata":{"data_origin",…}}],…}`. Records have no identifiers: what a later post states for a
/// start replaces what an earlier one stated.
struct HCWebhookDecoder: InboxDecoder {
    var name: String { "HC Webhook" }
    var provider: String { "hcWebhook" }
    var semantics: SourceSemantics { .feed }

    func recognizes(_ head: InboxHead, start: ArraySlice<UInt8>) -> Bool {
        let outline = BodyStart(start)
        return head.method == "POST" && (HealthConnectLists.areIn(outline) || outline.has("app_version"))
    }

    func reading(
        _ selection: SampleSelection, in context: SourceContext,
        receive: @escaping @Sendable (borrowing SampleBatch) throws -> Void
    ) -> any InboxReading {
        PostReading(selection, in: context, receive: receive) { post, samples in
            let body = try post.jsonObject()
            guard body.names.contains(where: HealthConnectLists.isOne) || body["timestamp"] != nil else {
                throw post.undecodable("the body contains no list of records")
            }
            samples.begin(post, stated: body.text("timestamp"))
            try HealthConnectLists.add(body, to: &samples)
        }
    }
}

/// The lists of records in the body of a webhook, by record type.
enum HealthConnectLists {
    /// Lists whose records mean nothing in HealthKit's terms, or are computed from other lists.
    private static let others: Set<String> = [
        "exercise", "total_calories", "bone_mass", "body_water_mass", "skin_temperature",
        "basal_metabolic_rate", "menstruation_period", "bmi", "daily_totals", "screen_time",
    ]
    private static let times: Set<String> = [
        "time", "start_time", "end_time", "session_end_time", "bucket_start", "date",
    ]

    static func isOne(_ name: String) -> Bool {
        others.contains(name)
            || name.allSatisfy { $0.isLowercase || $0 == "_" || $0.isNumber }
                && HealthConnectTable.meaning(of: name) != nil
    }

    /// Whether a body with this outline contains such a list, with a time in its first record.
    static func areIn(_ outline: BodyStart) -> Bool {
        outline.isObject
            && outline.members.contains { name, member in
                member.isArray && isOne(name) && !member.names.isDisjoint(with: times)
            }
    }

    /// Adds the records of all lists; returns the number of records by record type. The records of a test, which are
    /// invented, are not added.
    @discardableResult
    static func add(_ body: JSONObject, to samples: inout DecodedSamples) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        guard !(body["test"]?.isTrue ?? false) else {
            samples.countSkipped("test")
            return counts
        }
        for name in body.names {
            guard let list = body[name], list.isArray, name != "deleted_records", name != "deletions_unavailable"
            else { continue }
            try list.forEachElement { element in
                counts[name, default: 0] += 1
                guard isOne(name), HealthConnectTable.meaning(of: name) != nil else { return }
                guard let record = HealthConnectRecord(element, kind: name) else {
                    return samples.reject("not a JSON object", at: element)
                }
                try record.add(to: &samples)
            }
            if HealthConnectTable.meaning(of: name) == nil || !isOne(name) {
                samples.countSkipped(name, count: counts[name] ?? 0)
            }
        }
        return counts
    }
}
