import HealthSyncDomain

/// A time with a UTC offset: RFC 3339, or one of the forms of Health Auto Export.
struct StatedTime {
    let instant: Instant
    /// Seconds east of UTC if the text contains a numeric offset; `nil` for `Z`.
    let offset: Int64?

    init?(_ text: String) {
        if let instant = RFC3339.instant(text) {
            self.instant = instant
            offset = UTCOffset.seconds(text.suffix(6))
        } else if let date = HealthAutoExportDate(text) {
            instant = date.instant
            offset = date.statedOffset
        } else {
            return nil
        }
    }
}
