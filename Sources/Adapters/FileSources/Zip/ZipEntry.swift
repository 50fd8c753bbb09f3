/// What the directory of an archive says of one entry.
struct ZipEntry: Sendable, Hashable {
    /// Place in the directory.
    let index: UInt64
    /// The name as it stands in the archive; writers use many encodings.
    let rawName: [UInt8]
    /// Size before compression, as the directory claims.
    let size: UInt64
    /// Size of the compressed bytes.
    let compressedSize: UInt64
    /// 0 stored, 8 deflate.
    let method: UInt16
    /// Whether a password is needed.
    let isEncrypted: Bool
    /// CRC-32 of the uncompressed bytes.
    let checksum: UInt32
    /// Where the compressed bytes stand in the archive; `nil` where there are none or their header cannot be read.
    let dataOffset: Int64?

    /// The name for a person.
    var name: String { String(decoding: rawName, as: UTF8.self) }

    /// Whether it is a folder.
    var isFolder: Bool { rawName.last == 0x2F }

    /// The name behind the last slash.
    var lastComponent: String { name.split(separator: "/").last.map(String.init) ?? name }
}
