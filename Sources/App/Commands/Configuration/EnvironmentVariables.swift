/// The program's environment variables. `HOME`, `TZ` and the XDG variables are read too.
package enum EnvironmentVariables {
    /// In alphabetical order.
    package static let names = [
        "HEALTHSYNC_CONFIG", "HEALTHSYNC_DATA_DIR", "HEALTHSYNC_LOOK_BACK_DAYS", "HEALTHSYNC_METRICS", "HEALTHSYNC_RAW",
        "HEALTHSYNC_SERVER", "HEALTHSYNC_SOURCE", "HEALTHSYNC_TOKEN", "HEALTHSYNC_TOKEN_FILE", "HEALTHSYNC_TYPES",
        "HEALTHSYNC_USER_PROFILE_ID", "HEALTHSYNC_ZONE",
    ]
}
