import CHealthSyncCurl
import HealthSyncDomain

/// One easy handle with its connection, reused for every request. Used by one thread at a time.
@safe final class CurlHandle {
    private let handle: UnsafeMutableRawPointer

    /// Creates a handle; `nil` if libcurl is out of memory.
    init?() {
        guard CurlLibrary.isReady, let handle = unsafe curl_easy_init() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe curl_easy_cleanup(handle) }

    /// Sends `request` and waits for the response. Blocks the thread. With `receive`, the body of a successful response is
    /// passed on; then that of the outcome is empty.
    func perform(_ request: CurlRequest, limits: CurlLimits, receive: (any CurlReceiver)? = nil) -> CurlOutcome {
        let answer = AnswerBuffer(limit: limits.answerBytes, receive: receive) { self.status }
        let fields = unsafe Self.list(request.fields)
        defer {
            // The handle keeps its connection, but no pointer to the list, the body or the buffer of the response.
            unsafe curl_easy_reset(handle)
            unsafe curl_slist_free_all(fields)
        }
        var codes = setLimits(limits) + setRequest(request)
        unsafe codes.append(healthsync_curl_set_headers(handle, fields))
        let code = withExtendedLifetime(answer) {
            let context = unsafe Unmanaged.passUnretained(answer).toOpaque()
            unsafe codes.append(healthsync_curl_set_writer(handle, receiveAnswerBytes, context))
            return unsafe request.body.withUnsafeBytes { body in
                if let bytes = body.baseAddress, !request.body.isEmpty {
                    unsafe codes.append(healthsync_curl_set_body(handle, bytes, curl_off_t(body.count)))
                }
                if let failed = codes.first(where: { $0 != CURLE_OK }) { return failed }
                return unsafe curl_easy_perform(handle)
            }
        }
        return outcome(code, answer: answer)
    }

    /// The status of the current response; 0 before its head was read.
    private var status: Int { unsafe Int(healthsync_curl_status(handle)) }

    private func outcome(_ code: CURLcode, answer: AnswerBuffer) -> CurlOutcome {
        let status = status
        // With a final status, only the body can be incomplete.
        guard status >= 200 else { return .failure(CurlFailure.failure(of: code)) }
        let retryAfter = unsafe healthsync_curl_field(handle, "Retry-After").map { unsafe String(cString: $0) }
        return .answer(status: status, retryAfter: retryAfter, body: code == CURLE_OK ? answer.bytes : nil)
    }

    private func setLimits(_ limits: CurlLimits) -> [CURLcode] {
        var codes = [
            set(CURLOPT_NOSIGNAL, 1), set(CURLOPT_FOLLOWLOCATION, 0), set(CURLOPT_SSL_VERIFYPEER, 1),
            set(CURLOPT_SSL_VERIFYHOST, 2), set(CURLOPT_CONNECTTIMEOUT_MS, limits.connectMilliseconds),
            set(CURLOPT_TIMEOUT_MS, limits.totalMilliseconds),
            set(CURLOPT_LOW_SPEED_LIMIT, limits.slowestBytesPerSecond),
            set(CURLOPT_LOW_SPEED_TIME, limits.stallSeconds), set(CURLOPT_TCP_KEEPALIVE, 1),
            set(CURLOPT_PROTOCOLS_STR, "http,https"), set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https"),
        ]
        if let file = limits.authorityFile { codes.append(set(CURLOPT_CAINFO, file)) }
        return codes
    }

    private func setRequest(_ request: CurlRequest) -> [CURLcode] {
        let address = set(CURLOPT_URL, request.address)
        return request.method == "GET" ? [address] : [address, set(CURLOPT_CUSTOMREQUEST, request.method)]
    }

    private func set(_ option: CURLoption, _ value: Int) -> CURLcode {
        unsafe healthsync_curl_set_long(handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: String) -> CURLcode {
        unsafe healthsync_curl_set_text(handle, option, value)
    }

    private static func list(_ fields: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for field in fields { unsafe list = curl_slist_append(list, field) ?? list }
        return unsafe list
    }
}

/// The global initialization of libcurl, once per process.
private enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// Collects the body of a response, up to a limit, or passes the body of a successful one on.
private final class AnswerBuffer {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private let receive: (any CurlReceiver)?
    /// Returns the status of the response, whose head was read.
    private let status: () -> Int

    init(limit: Int, receive: (any CurlReceiver)?, status: @escaping () -> Int) {
        self.limit = limit
        self.receive = receive
        self.status = status
    }

    /// Appends `more`; returns false, and appends nothing, if that exceeds the limit or the receiver
    /// returns false.
    func append(_ more: UnsafeRawBufferPointer) -> Bool {
        if let receive, (200..<300).contains(status()) {
            return unsafe receive.receive(more)
        }
        guard more.count <= limit - bytes.count else { return false }
        unsafe bytes.append(contentsOf: more)
        return true
    }
}

/// libcurl's write callback: returning a number other than that of the bytes offered ends the transfer.
private func receiveAnswerBytes(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
    let buffer = unsafe Unmanaged<AnswerBuffer>.fromOpaque(context).takeUnretainedValue()
    let offered = size * count
    return unsafe buffer.append(UnsafeRawBufferPointer(start: bytes, count: offered)) ? offered : offered &+ 1
}

/// The meaning of libcurl's error codes for delivery.
private enum CurlFailure {
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
