/// The mixing function of the digests.
enum SplitMix {
    /// Returns the result of the SplitMix64 step (Steele, Lea and Flood 2014).
    static func mixed(_ word: UInt64) -> UInt64 {
        var state = word &+ 0x9E37_79B9_7F4A_7C15
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        return state ^ (state >> 31)
    }
}
