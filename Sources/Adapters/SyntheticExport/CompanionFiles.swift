import HealthSyncDomain

/// The small files next to the main file in an archive.
struct CompanionFiles {
    let scenario: Scenario

    /// The clinical document that Apple includes; readers of records ignore it.
    var clinicalDocument: String {
        let date = AppleDate(offsetSeconds: scenario.exportOffset).text(scenario.exportMoment)
        return """
            <?xml version="1.0"?>
            <ClinicalDocument xmlns="urn:hl7-org:v3">
             <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
             <title>Health Data Export</title>
             <effectiveTime value="\(date.filter { $0.isNumber || $0 == "+" })"/>
            </ClinicalDocument>

            """
    }

    /// Returns the route of the last exercise, with a point every ten seconds.
    func route(of walk: Walk) -> String {
        var stream = SeededStream(seed: scenario.seed, day: scenario.timeline.days.last.ordinal, purpose: .route)
        var latitude: Int64 = 48_856_600
        var longitude: Int64 = 2_352_200
        var points = ""
        var time = walk.span.start
        while time <= walk.span.end {
            let north = RecordValue.number(latitude, decimals: 6).text
            let east = RecordValue.number(longitude, decimals: 6).text
            let height = RecordValue.number(stream.whole(3400, 3900), decimals: 2).text
            points += """
                      <trkpt lon="\(east)" lat="\(north)"><ele>\(height)</ele>\
                <time>\(RFC3339.string(Instant(seconds: time)))</time><extensions><speed>1.4</speed>\
                <course>22.5</course><hAcc>4.2</hAcc><vAcc>3.1</vAcc></extensions></trkpt>

                """
            latitude += stream.whole(40, 190)
            longitude += stream.whole(-90, 160)
            time += 10
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
              <metadata><time>\(RFC3339.string(Instant(seconds: scenario.exportMoment)))</time></metadata>
              <trk>
                <name>Route \(RFC3339.string(Instant(seconds: walk.span.start)))</name>
                <trkseg>
            \(points)    </trkseg>
              </trk>
            </gpx>

            """
    }
}
