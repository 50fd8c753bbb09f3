import CHealthSyncCurl

extension HTTPOutboxSender {
    /// The version of libcurl with the libraries it uses.
    package static var libraryVersion: String { unsafe String(cString: curl_version()) }
}
