import HealthSyncDomain

/// The members of a sample that describe its origin.
enum OriginMembers {
    /// Returns the origin of a sample.
    static func origin(_ members: SampleMembers, form: SampleReader.Form) throws(RejectedRecord) -> ReceivedOrigin {
        func text(_ value: JSONValue?, _ name: String) throws(RejectedRecord) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let text = value.string else {
                throw RejectedRecord(id: members.idText, reason: "\(name) must be a string")
            }
            guard text.unicodeScalars.count <= 1_000 else {
                throw RejectedRecord(id: members.idText, reason: "\(name) must have at most 1000 characters")
            }
            return text
        }
        let unit =
            switch form {
            case .steps: "count"
            case .quantity: try text(members.unit, "unit") ?? ""
            }
        return ReceivedOrigin(
            bundleID: try text(members.bundleID, "sourceBundleId") ?? "",
            deviceName: try text(members.deviceName, "sourceDeviceName"), unit: unit)
    }

    /// Whether the members describe `origin`, compared by bytes.
    static func match(_ origin: ReceivedOrigin, _ members: SampleMembers, form: SampleReader.Form) -> Bool {
        func matches(_ value: JSONValue?, _ text: String) -> Bool {
            guard let value, !value.isNull else { return false }
            return value.isString(text)
        }
        guard matches(members.bundleID, origin.bundleID) else { return false }
        if form == .quantity, !matches(members.unit, origin.unit) { return false }
        guard let device = origin.deviceName else { return members.deviceName?.isNull ?? true }
        return matches(members.deviceName, device)
    }
}
