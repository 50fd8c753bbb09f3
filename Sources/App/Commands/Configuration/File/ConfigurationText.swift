/// The text of the configuration file, used to report locations.
struct ConfigurationText: Sendable {
    let file: String
    let bytes: [UInt8]

    /// `config.json:3:11`
    func location(of offset: Int) -> String { "\(file):\(TextLocation(offset: offset, in: bytes))" }
}
