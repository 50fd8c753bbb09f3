import HealthSyncDomain

/// The argument `NAME` of the commands of devices.
enum DeviceName {
    /// Returns the name of the device.
    static func of(_ context: CommandContext) throws(SyncFailure) -> UserName {
        guard context.parsed.arguments.count == 1, let text = context.parsed.arguments.first else {
            throw .usage("NAME", "exactly one name is required", advice: "name the device, such as anna-phone")
        }
        guard let name = UserName(text) else {
            throw .usage(
                text, "invalid device name",
                advice: "use 1 to 64 characters out of a-z, 0-9, dot, hyphen and underscore")
        }
        return name
    }
}
