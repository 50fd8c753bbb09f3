import HealthSyncDomain

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
