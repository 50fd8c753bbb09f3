/// The text of the configuration file, by which places are told.
struct ConfigurationText: Sendable {
    let file: String
    let bytes: [UInt8]

    /// `config.json:3:11`
    func place(_ offset: Int) -> String { "\(file):\(TextPlace(offset: offset, in: bytes))" }
}
