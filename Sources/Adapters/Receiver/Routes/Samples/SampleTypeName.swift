/// The type of samples that a path names.
enum SampleTypeName {
    /// The type of samples that are sent with value and unit: any but steps, which have an endpoint and rules of their own.
    static func ofQuantity(_ request: APIRequest) throws -> String {
        let type = try of(request)
        guard type != "steps" else { throw Refusal(400, "steps are sent to POST /steps") }
        return type
    }

    /// `steps` for paths without a type; otherwise the parameter `type`, checked.
    static func of(_ request: APIRequest) throws -> String {
        guard let type = request.parameters["type"] else { return "steps" }
        let isName = type.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
        guard isName, (1...128).contains(type.utf8.count) else {
            throw Refusal(400, "a type is 1 to 128 letters, digits, dots, hyphens and underscores")
        }
        return type
    }
}
