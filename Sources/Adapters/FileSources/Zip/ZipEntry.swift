/// An entry in the directory of an archive.
struct ZipEntry: Sendable, Hashable {
    /// The index in the directory.
    let index: UInt64
    /// The name as stored; writers use various encodings.
    let rawName: [UInt8]
    /// The uncompressed size that the directory states.
    let size: UInt64
    /// The size of the compressed bytes.
    let compressedSize: UInt64
    /// The compression method: 0 is stored, 8 is deflate.
    let method: UInt16
    /// Whether a password is needed.
    let isEncrypted: Bool
    /// The CRC-32 of the uncompressed bytes.
    let checksum: UInt32
    /// The offset of the compressed bytes in the archive; `nil` if none exist or their header cannot be read.
    let dataOffset: Int64?

    /// The name for display.
    var name: String { String(decoding: rawName, as: UTF8.self) }

    /// Whether the entry is a directory.
    var isFolder: Bool { rawName.last == 0x2F }

    /// The last component of the name.
    var lastComponent: String { name.split(separator: "/").last.map(String.init) ?? name }
}
