import HealthSyncTestKit

extension [UInt8] {
    /// Changes a byte, truncates the bytes or appends one.
    mutating func damage(using random: inout SeededRandom) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where !isEmpty:
            self[Int.random(in: indices, using: &random)] = .random(in: 0...255, using: &random)
        case 1: self = Array(prefix(Int.random(in: 0...count, using: &random)))
        default: append(.random(in: 0...255, using: &random))
        }
    }
}
