import HealthSyncDomain

/// The members of a sample that say who measured.
enum OriginMembers {
    /// The origin that they state.
    static func origin(_ members: SampleMembers, form: SampleReader.Form) throws(RejectedRecord) -> ReceivedOrigin {
        func text(_ value: JSONValue?, _ name: String) throws(RejectedRecord) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let text = value.string else {
                throw RejectedRecord(id: members.idText, reason: "\(name) must be a string")
            }
            guard text.unicodeScalars.count <= 1_000 else {
                throw RejectedRecord(id: members.idText, reason: "\(name) is longer than 1000 characters")
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

    /// Whether they state `origin`, byte by byte.
    static func say(_ origin: ReceivedOrigin, _ members: SampleMembers, form: SampleReader.Form) -> Bool {
        func says(_ value: JSONValue?, _ text: String) -> Bool {
            guard let value, !value.isNull else { return false }
            return value.isString(text)
        }
        guard says(members.bundleID, origin.bundleID) else { return false }
        if form == .quantity, !says(members.unit, origin.unit) { return false }
        guard let device = origin.deviceName else { return members.deviceName?.isNull ?? true }
        return says(members.deviceName, device)
    }
}
