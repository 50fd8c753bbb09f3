/// Everything that gives numbers to the texts of records.
struct RecordInterners {
    var types: TypeInterner
    var sources = TextInterner()
    var devices = DeviceInterner()
    var units = TextInterner()
    var zones = TextInterner()

    /// Numbers for types as `types` knows them.
    init(types: TypeInterner) { self.types = types }
}
