import HealthSyncDomain

/// The texts of the units of a user's service.
struct UnitText {
    let service: UserService
    /// Absolute path of the program.
    let program: String
    /// The words of the command line after the program, as the user wrote them.
    let words: [String]
    /// Absolute path of a token file, which systemd passes as a credential; `nil` for none.
    let tokenFile: String?

    /// Returns the text of the unit `name`, one of `service.units`.
    func text(_ name: String) -> String { name == service.serviceUnit ? serviceText : timerText }

    private var serviceText: String {
        let unit = ["[Unit]", "Description=\(service.summary)", "Documentation=man:healthsync(1)", "", "[Service]"]
        let kind =
            service.time == nil
            // An invalid command line or configuration stays invalid.
            ? ["Restart=on-failure", "RestartSec=30", "RestartPreventExitStatus=64 78"] : ["Type=oneshot"]
        let command = "ExecStart=" + ([program] + words).map(Self.quoted).joined(separator: " ")
        let credential =
            tokenFile.map {
                ["LoadCredential=token:\(Self.specifiersEscaped($0))", "Environment=HEALTHSYNC_TOKEN_FILE=%d/token"]
            } ?? []
        let limits = [
            // Dispatch logs that it cannot raise the priority of its threads.
            "Environment=LIBDISPATCH_LOG=NO", "UMask=0077", "NoNewPrivileges=yes", "LockPersonality=yes",
            "MemoryDenyWriteExecute=yes", "RestrictRealtime=yes", "RestrictSUIDSGID=yes",
            "SystemCallArchitectures=native",
        ]
        let installation = service.time == nil ? ["", "[Install]", "WantedBy=default.target"] : []
        return Self.lines(unit + kind + [command] + credential + limits + installation)
    }

    private var timerText: String {
        Self.lines([
            "[Unit]", "Description=\(service.summary)", "", "[Timer]", "OnCalendar=*-*-* \(service.time ?? "")",
            "RandomizedDelaySec=15min", "Persistent=true", "", "[Install]", "WantedBy=timers.target",
        ])
    }

    private static func lines(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private static func specifiersEscaped(_ text: String) -> String { text.replacing("%", with: "%%") }

    /// Returns a word of a command line as systemd reads it. `%h` at the beginning is the home folder.
    private static func quoted(_ word: String) -> String {
        if word.hasPrefix("%h/"), word.dropFirst(3).utf8.allSatisfy(isPlain) { return word }
        guard !word.utf8.allSatisfy(isPlain) else { return word }
        let text = specifiersEscaped(
            word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("$", with: "$$"))
        return "\"\(text)\""
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/.-_:,+=@[]".utf8.contains(byte)
        }
    }
}
