/// The options of every command.
package enum GlobalOptions {
    /// The options, in the order of help.
    package static let all: [OptionDeclaration] = [
        .value(
            "source", "PATH", "Read this file, folder or archive; may be repeated",
            default: "sources of the configuration", repeats: true),
        .value(
            "data-dir", "FOLDER", "Keep the database in this folder", default: "$XDG_DATA_HOME/healthsync"),
        .value(
            "config", "FILE", "Read the configuration from this file",
            default: "$XDG_CONFIG_HOME/healthsync/config.json"),
        .value("zone", "ZONE", "Use the days of this IANA time zone", default: "the system's time zone"),
        .value(
            "server", "URL", "Deliver to this server; `none` delivers to no server",
            default: "none; all data stays local"),
        .value("token-file", "FILE", "Read the server's token from this file, which only you may read"),
        .flag("json", "Print the result as JSON"),
        .flag("quiet", letter: "q", "Print results and errors only; nothing for a run that succeeds"),
        .flag("verbose", letter: "v", "Print details of each step"),
        .value(
            "log-level", "LEVEL", "Log events of this level and above: debug, info, warning or error",
            default: "info; debug with --verbose, error with --quiet"),
        .flag("help", letter: "h", "Print help and exit"),
        .flag("version", "Print the version and exit"),
    ]
}
