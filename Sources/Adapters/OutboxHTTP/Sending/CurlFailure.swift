import CHealthSyncCurl
import HealthSyncDomain

/// The meaning of libcurl's error codes for delivery.
enum CurlFailure {
    static func failure(of code: CURLcode) -> TransportFailure {
        let reason = unsafe String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE:
            return .certificate(reason: reason)
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION,
            CURLE_NOT_BUILT_IN:
            return .unusableAddress(reason: reason)
        default:
            return .network(reason: reason)
        }
    }
}
