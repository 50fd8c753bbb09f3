extension APIRequest {
    /// Returns the sample type in the path, or `steps` for paths without one.
    func sampleType() throws -> String {
        guard let type = parameters["type"] else { return "steps" }
        let hasValidCharacters = type.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard hasValidCharacters, (1...128).contains(type.utf8.count) else {
            throw RequestError(400, "a type must have 1 to 128 letters, digits, dots, hyphens or underscores")
        }
        return type
    }
}
