import CHealthSyncQREncode
package import HealthSyncPorts

/// QR codes made by libqrencode.
package struct LibqrencodeEncoder: QRCodeEncoder {
    package init() {}

    package func code(of text: String) -> QRCode? {
        let bytes = Array(text.utf8)
        let encoded = unsafe bytes.withUnsafeBufferPointer {
            unsafe QRcode_encodeData(Int32(clamping: $0.count), $0.baseAddress, 0, QR_ECLEVEL_L)
        }
        guard let code = unsafe encoded else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        guard let modules = unsafe code.pointee.data else { return nil }
        // The lowest bit of a module is its color.
        return QRCode(size: size, isDark: (0..<size * size).map { unsafe modules[$0] & 1 == 1 })
    }

    /// The version of libqrencode.
    package static var libraryVersion: String { unsafe String(cString: QRcode_APIVersionString()) }
}
