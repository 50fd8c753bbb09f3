/// The options that every command takes.
package enum GlobalOptions {
    /// In the order of help.
    package static let all: [OptionDeclaration] = [
        .value(
            "source", "PATH", "Read from this file, folder or archive; may be given several times",
            default: "sources of the configuration", repeats: true),
        .value(
            "data-dir", "FOLDER", "Keep the database there", default: "$XDG_DATA_HOME/healthsync"),
        .value(
            "config", "FILE", "Read the configuration from there", default: "$XDG_CONFIG_HOME/healthsync/config.json"),
        .value("zone", "ZONE", "IANA zone by which days are counted", default: "the system's zone"),
        .value("server", "URL", "Deliver to this server", default: "none, everything stays local"),
        .value("token-file", "FILE", "Read the server's token from this file, readable by you alone"),
        .flag("json", "Print the result as JSON"),
        .flag("quiet", letter: "q", "Print results and errors only"),
        .flag("verbose", letter: "v", "Print details of what is done"),
        .flag("help", letter: "h", "Show help and do nothing else"),
        .flag("version", "Show the version and do nothing else"),
    ]
}
