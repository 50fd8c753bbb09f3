/// What every page carries, so that a browser shows it and does nothing else with it.
enum PageHeaders {
    static let all: [RequestHead.Header] = [
        .init(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
                + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
        .init("Cache-Control", "no-store"),
        .init("X-Content-Type-Options", "nosniff"),
        // Not no-referrer: under it browsers send `Origin: null` with forms of their own site.
        .init("Referrer-Policy", "same-origin"),
        .init("Cross-Origin-Opener-Policy", "same-origin"),
        .init("Cross-Origin-Resource-Policy", "same-origin"),
        .init("X-Frame-Options", "DENY"),
    ]
}
