import HealthSyncPorts

/// Secrets that a browser keeps for a while.
enum PageSecret {
    /// 256 unpredictable bits as 64 hexadecimal digits.
    static func text(_ random: any RandomSource) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: random.bytes(32).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
