/// The text of the configuration file, used to report locations.
struct ConfigurationText: Sendable {
    let file: String
    let bytes: [UInt8]

    /// Returns the location of the byte at `offset`, such as `config.json:3:11`.
    func location(of offset: Int) -> String { "\(file):\(TextLocation(offset: offset, in: bytes))" }
}
