/// The name of the program in messages. The program of a plug-in has another one, with which its commands are typed.
struct ProgramName: Sendable {
    /// The name in the texts of this package.
    static let standard = "healthsync"

    let name: String

    /// Returns `text`, which this package wrote, with the commands of the program under its own name.
    func applied(to text: String) -> String {
        guard name != Self.standard else { return text }
        let replaced = text.replacing("`\(Self.standard) ", with: "`\(name) ")
            .replacing("(\(Self.standard) ", with: "(\(name) ")
            .replacing("usage: \(Self.standard) ", with: "usage: \(name) ")
        return replaced.hasPrefix("\(Self.standard): ")
            ? name + String(replaced.dropFirst(Self.standard.count)) : replaced
    }
}
