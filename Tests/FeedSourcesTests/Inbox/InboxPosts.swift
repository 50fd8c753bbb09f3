import HealthSyncPorts

/// Posts in the form that the documentation of each app shows, written from it and not from our code.
enum InboxPosts {
    // https://github.com/thatcube/Hozz/blob/main/docs/delivery-schema.md
    static func hozz() throws -> InboxPost {
        let watch =
            #""source":{"bundleIdentifier":"com.apple.health.ABC","name":"Brandon’s Apple Watch","#
            + #""operatingSystem":{"major":26,"minor":5,"patch":0},"productType":"Watch7,1","version":"26.5"}"#
        let lines = [
            #"{"catalogVersion":6,"device":{"hardwareVersion":"Watch7,1","localIdentifier":"ABC","#
                + #""manufacturer":"Apple Inc.","model":"Watch","name":"Apple Watch","softwareVersion":"26.5"},"#
                + #""endDate":"2026-08-22T21:10:46.500Z","id":"2f1a0000-0000-4000-8000-000000000001","kind":"quantity","#
                + #""metadata":{"HKTimeZone":{"type":"string","value":"Europe/London"}},"quantity":{"count":1,"#
                + #""description":"62.5 count/min","unit":"count/min","value":62.5},"schemaVersion":1,\#(watch),"#
                + #""startDate":"2026-08-22T21:10:46.500Z","type":"HKQuantityTypeIdentifierHeartRate"}"#,
            #"{"catalogVersion":6,"endDate":"2026-08-22T21:20:00.000Z","id":"2F1A0000-0000-4000-8000-000000000002","#
                + #""kind":"quantity","metadata":{"HKWasUserEntered":{"type":"bool","value":true}},"quantity":"#
                + #"{"count":1,"description":"120 count","unit":"count","value":120},"schemaVersion":1,\#(watch),"#
                + #""startDate":"2026-08-22T21:10:00.000Z","type":"HKQuantityTypeIdentifierStepCount"}"#,
            #"{"catalogVersion":6,"endDate":"2026-08-22T04:30:00.000Z","id":"2f1a0000-0000-4000-8000-000000000003","#
                + #""kind":"category","metadata":{},"schemaVersion":1,\#(watch),"#
                + #""startDate":"2026-08-22T04:00:00.000Z","type":"HKCategoryTypeIdentifierSleepAnalysis","value":5}"#,
            #"{"id":"9C400000-0000-4000-8000-000000000009","kind":"deletion","schemaVersion":1,"#
                + #""type":"HKQuantityTypeIdentifierStepCount"}"#,
            #"{"complete":true,"deliveredCount":147330,"kind":"typeCoverage","observedAt":"2026-03-04T05:06:07.500Z","#
                + #""schemaVersion":1,"state":"anchorClosed","type":"HKQuantityTypeIdentifierStepCount"}"#,
            #"{"activityType":37,"duration":1800,"endDate":"2026-08-22T07:30:00.000Z","events":[],"id":"7b21","#
                + #""kind":"workout","schemaVersion":1,\#(watch),"startDate":"2026-08-22T07:00:00.000Z","#
                + #""type":"HKWorkoutTypeIdentifier"}"#,
        ]
        return try Post.make(
            headers: [
                "content-type": "application/x-ndjson", "hozz-batch-id": "b1", "idempotency-key": "b1",
                "hozz-batch-sequence": "17", "hozz-record-count": "6", "hozz-destination-id": "d1",
                "hozz-format": "ndjson", "hozz-schema": "hozz", "x-hozz-device": "Brandon%E2%80%99s iPhone",
            ], id: "hozz", lines.joined(separator: "\n") + "\n")
    }

    // https://github.com/Lybron/health-auto-export/wiki/API-Export---JSON-Format
    static func healthAutoExport() throws -> InboxPost {
        try Post.make(
            ["api", "data"],
            headers: ["automation-name": "Home", "automation-aggregation": "minutes", "session-id": "S"],
            id: "healthAutoExport",
            #"{"data":{"workouts":[{"id":"W","name":"Running","start":"2026-08-22 07:00:00 +0200","#
                + #""end":"2026-08-22 07:30:00 +0200","duration":1800,"route":[{"latitude":1.5}]}],"metrics":["#
                + #"{"name":"step_count","units":"count","data":[{"date":"2026-08-22 08:00:00 +0200","qty":60,"source":"A|B"},"#
                + #"{"date":"2026-08-22 08:01:00 +0200","qty":71}]},{"units":"bpm","name":"heart_rate","data":["#
                + #"{"date":"2026-08-22 08:00:30 +0200","Min":61,"Avg":62.5,"Max":64,"source":"Anna’s Apple Watch"}]}]}}"#
        )
    }

    // https://github.com/the-momentum/open_wearables_ios_sdk and .../open_wearables_android_sdk
    static func openWearables() throws -> InboxPost {
        let source =
            #""source":{"appId":"com.apple.health.ABC","name":"Anna’s Apple Watch","deviceId":null,"#
            + #""deviceName":"Apple Watch","deviceManufacturer":"Apple Inc.","deviceModel":"Watch7,1","#
            + #""deviceType":"watch","recordingMethod":null,"deviceHardwareVersion":"Watch7,1"}"#
        return try Post.make(
            ["api", "v1", "sdk", "users", "u1", "sync"], id: "openWearables",
            #"{"provider":"apple","sdkVersion":"0.9.0","syncTimestamp":"2026-08-22T22:00:00Z","data":{"workouts":["#
                + #"{"id":"W","type":"running","startDate":"2026-08-22T07:00:00Z","endDate":"2026-08-22T07:30:00Z"}],"#
                + #""records":[{"id":"A1B20000-0000-4000-8000-000000000001","type":"HKQuantityTypeIdentifierStepCount","#
                + #""startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T08:10:00Z","zoneOffset":"+02:00",\#(source),"#
                + #""value":321,"unit":"count","parentId":null,"metadata":null},"#
                + #"{"id":"A1B20000-0000-4000-8000-000000000002","type":"HKQuantityTypeIdentifierOxygenSaturation","#
                + #""startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T08:00:00Z","zoneOffset":null,\#(source),"#
                + #""value":98,"unit":"%","parentId":null,"metadata":{"HKWasUserEntered":"1"}}],"#
                + #""sleep":[{"id":"A1B20000-0000-4000-8000-000000000003","parentId":null,"stage":"core","#
                + #""startDate":"2026-08-22T02:00:00Z","endDate":"2026-08-22T03:00:00Z","zoneOffset":null,\#(source),"#
                + #""values":null,"metadata":null}]}}"#)
    }

    // https://github.com/mcnaveen/health-connect-webhook: MockPayloadBuilder.kt, SyncManager.kt
    static func hcWebhook() throws -> InboxPost {
        let meta =
            #""metadata":{"data_origin":"com.google.android.apps.fitness","recording_method":"#
            + #""automatically_recorded","device":{"manufacturer":"Google","model":"Pixel Watch","type":1}}"#
        return try Post.make(
            ["hook"], id: "hcWebhook",
            #"{"timestamp":"2026-08-22T22:00:00Z","app_version":"1.9.2","steps":[{"count":1240,"#
                + #""start_time":"2026-08-22T08:00:00Z","end_time":"2026-08-22T08:30:00Z",\#(meta)}],"sleep":["#
                + #"{"session_end_time":"2026-08-22T05:00:00Z","duration_seconds":10800,"stages":[{"stage":"deep","#
                + #""start_time":"2026-08-22T02:00:00Z","end_time":"2026-08-22T03:00:00Z","duration_seconds":3600},"#
                + #"{"stage":"light","start_time":"2026-08-22T03:00:00Z","end_time":"2026-08-22T05:00:00Z","#
                + #""duration_seconds":7200}],\#(meta)}],"heart_rate":[{"bpm":62,"time":"2026-08-22T08:05:00Z",\#(meta)},"#
                + #"{"time":"2026-08-22T09:00:00Z","avg":72.5,"min":60,"max":99}],"#
                + #""heart_rate_variability":[{"rmssd_millis":38.2,"time":"2026-08-22T06:10:00Z",\#(meta)}],"#
                + #""blood_pressure":[{"systolic":118,"diastolic":76,"time":"2026-08-22T07:45:00Z",\#(meta)}],"#
                + #""body_fat":[{"percentage":18.5,"time":"2026-08-22T07:30:00Z",\#(meta)}]}"#)
    }

    // https://github.com/owen282000/life-dashboard-companion-app/blob/main/docs/webhook.md
    static func companion() throws -> InboxPost {
        try Post.make(
            ["hook"], headers: ["x-signature": "sha256=00"], id: "companion",
            #"{"timestamp":"2026-08-22T22:00:00Z","app_version":"1.18.0","source":"health_connect","sequence":41,"#
                + #""steps":[{"count":1234,"start_time":"2026-08-22T08:00:00Z","end_time":"2026-08-22T09:00:00Z","#
                + #""uuid":"0F7C0000-0000-4000-8000-000000000001","source":"com.zepp.app"}],"heart_rate":[{"bpm":72,"#
                + #""time":"2026-08-22T10:30:00Z","uuid":"0f7c0000-0000-4000-8000-000000000002","source":"com.zepp.app"},"#
                + #"{"bpm":74,"time":"2026-08-22T10:31:00Z","uuid":"0f7c0000-0000-4000-8000-000000000002","#
                + #""source":"com.zepp.app"}],"daily_totals":[{"date":"2026-08-22","steps":8421}],"deleted_records":["#
                + #"{"type":"nutrition","uuid":"0f7c0000-0000-4000-8000-000000000e91"},"#
                + #"{"type":"steps","uuid":"0F7C0000-0000-4000-8000-000000000E92"}],"_diagnostics":{"steps":"#
                + #"{"permission_granted":true,"filtered_record_count":1,"error":null}}}"#)
    }

    // https://github.com/CoolCoderSJ/HCGateway: the record is that of react-native-health-connect
    static func hcGateway(_ type: String = "Nutrition", _ data: String? = nil) throws -> InboxPost {
        let meal =
            #"{"metadata":{"id":"c0de0000-0000-4000-8000-000000000001","dataOrigin":"com.example.meals","#
            + #""lastModifiedTime":"2026-08-22T12:40:00Z","recordingMethod":3,"device":{"type":2}},"#
            + #""startTime":"2026-08-22T12:30:00Z","endTime":"2026-08-22T13:00:00Z","name":"Bowl","#
            + #""energy":{"inKilocalories":620,"inJoules":2594080},"protein":{"inGrams":40},"sodium":{"inGrams":1.4}}"#
        return try Post.make(["api", "v2", "sync", type], id: "hcGateway", #"{"data":\#(data ?? "[\(meal)]")}"#)
    }

    static func steps() throws -> InboxPost {
        try Post.make(
            ["steps"], id: "steps",
            #"{"samples":[{"uuid":"550E8400-E29B-41D4-A716-446655440000","startDate":"2026-08-22T08:00:00Z","#
                + #""endDate":"2026-08-22T09:00:00Z","count":1250,"sourceBundleId":"com.apple.health","#
                + #""sourceDeviceName":"iPhone 15"},{"uuid":"550E8400-E29B-41D4-A716-446655440001","#
                + #""startDate":"2026-08-22T10:00:00Z","endDate":"2026-08-22T09:00:00Z","count":3,"#
                + #""sourceBundleId":"com.apple.health"}]}"#)
    }

    static func jsonLines() throws -> InboxPost {
        try Post.make(
            ["lines"], headers: ["content-type": "text/plain"], id: "jsonLines",
            #"{"type":"heartRate","startDate":"2026-08-22T08:00:00Z","endDate":"2026-08-22T08:00:00Z","value":61,"#
                + #""unit":"count/min","sourceBundleId":"My script"}"# + "\n"
                + #"{"startDate":"2026-08-22T08:00:00+02:00","endDate":"2026-08-22T09:00:00+02:00","count":1250,"#
                + #""sourceBundleId":"com.apple.health"}"# + "\n")
    }
}
