/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns `text` with a few bytes changed, inserted, removed or duplicated.
    mutating func mutate(_ text: [UInt8]) -> [UInt8] {
        var bytes = text
        for _ in 0..<Int.random(in: 1...4, using: &self) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &self)
            switch Int.random(in: 0..<5, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes.insert(Array("{}[]\",:\\-e9.tnu\u{0}\n".utf8).randomElement(using: &self) ?? 0, at: place)
            case 2: bytes.remove(at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &self)))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 12)], at: place)
            }
        }
        return bytes
    }
}
