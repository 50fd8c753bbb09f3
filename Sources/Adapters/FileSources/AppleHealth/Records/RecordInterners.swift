/// The interners of all texts in records.
struct RecordInterners {
    var types: TypeInterner
    var sources = TextInterner()
    var devices = DeviceInterner()
    var units = TextInterner()
    var zones = TextInterner()

    /// Creates interners that use `types` for types.
    init(types: TypeInterner) { self.types = types }
}
