import CHealthSyncMicroHTTPD

/// What speaks HTTP.
package enum HTTPLibrary {
    /// The version of libmicrohttpd that runs.
    package static var version: String { unsafe String(cString: MHD_get_version()) }
}
