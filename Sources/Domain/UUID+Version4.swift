package import Foundation

extension UUID {
    /// Creates a random UUID (RFC 9562, section 5.4) from 16 unpredictable bytes, padded with zeros if there are fewer.
    package init(version4 random: [UInt8]) {
        var bytes = random + [UInt8](repeating: 0, count: max(0, 16 - random.count))
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
