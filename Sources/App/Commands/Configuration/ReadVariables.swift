/// The environment variables that are read, beside `HOME`, `TZ` and those of the XDG folders.
package enum ReadVariables {
    /// In alphabetical order.
    package static let names = [
        "HEALTHSYNC_CONFIG", "HEALTHSYNC_DATA_DIR", "HEALTHSYNC_LOOK_BACK_DAYS", "HEALTHSYNC_METRICS", "HEALTHSYNC_RAW",
        "HEALTHSYNC_SERVER", "HEALTHSYNC_SOURCE", "HEALTHSYNC_TOKEN", "HEALTHSYNC_TOKEN_FILE", "HEALTHSYNC_TYPES",
        "HEALTHSYNC_USER_PROFILE_ID", "HEALTHSYNC_ZONE",
    ]
}
