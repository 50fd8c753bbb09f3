import CHealthSyncCurl

extension HTTPOutboxSender {
    /// The versions of libcurl and of the libraries it uses.
    package static var libraryVersion: String { unsafe String(cString: curl_version()) }
}
