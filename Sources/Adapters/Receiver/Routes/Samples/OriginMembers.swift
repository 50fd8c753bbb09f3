/// The members of a sample that say who measured, as they stand.
struct OriginMembers: Equatable {
    let bundleID: String
    let deviceName: String?
    let unit: String

    init(_ members: SampleMembers, form: SampleReader.Form, idText: String) throws(RejectedRecord) {
        func text(_ value: JSONValue?, _ name: String) throws(RejectedRecord) -> String? {
            guard let value, !value.isNull else { return nil }
            guard let text = value.string else {
                throw RejectedRecord(id: idText, reason: "\(name) must be a string")
            }
            guard text.utf8.count <= 1_000 else {
                throw RejectedRecord(id: idText, reason: "\(name) is longer than 1000 bytes")
            }
            return text
        }
        bundleID = try text(members.bundleID, "sourceBundleId") ?? ""
        deviceName = try text(members.deviceName, "sourceDeviceName")
        unit =
            switch form {
            case .steps: "count"
            case .quantity: try text(members.unit, "unit") ?? ""
            }
    }
}
