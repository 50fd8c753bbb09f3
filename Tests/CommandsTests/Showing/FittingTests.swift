import HealthSyncCommands
import Testing

@Suite("Tables on a terminal")
struct FittingTests {
    private static func style(_ width: Int?, color: Bool = false) -> OutputStyle {
        OutputStyle(width: width, hasColor: color, hasBlocks: true)
    }

    private static var table: TextTable {
        var table = TextTable(heads: [("id", .right), ("state", .left), ("reason", .left)])
        table.add(["7", "rejected", "the server rejected the hour because it is in the future"], colors: [1: .warn])
        table.add("1234", "waiting", "-")
        return table
    }

    @Test("A table that fits is not changed")
    func wide() {
        #expect(Self.table.lines(fitting: Self.style(nil)) == Self.table.lines())
        #expect(Self.table.lines(fitting: Self.style(80)) == Self.table.lines())
    }

    @Test("Cells are wrapped between words")
    func wrapped() {
        #expect(
            Self.table.lines(fitting: Self.style(40)) == [
                "  id  state     reason", "   7  rejected  the server rejected the",
                "                hour because it is in",
                "                the future", "1234  waiting   -",
            ])
    }

    @Test("On a narrow terminal each row is a block, without empty cells")
    func blocks() {
        #expect(
            Self.table.lines(fitting: Self.style(22)) == [
                "id 7", "  state  rejected", "  reason", "    the server", "    rejected the hour",
                "    because it is in",
                "    the future", "id 1234", "  state  waiting",
            ])
    }

    @Test("A word that is longer than its column has lines of its own and stays whole")
    func longWord() {
        var table = TextTable([.left, .left])
        let path = "/home/anna/.local/share/healthsync/healthsync.sqlite"
        table.add("database", path)
        table.add("server", "none; all data stays local")
        #expect(
            table.lines(fitting: Self.style(40)) == [
                "database", "  \(path)", "server    none; all data stays local",
            ])
    }

    @Test("Colors change no text, and are the nearest of a terminal to those of the pages")
    func colors() {
        let plain = Self.table.lines(fitting: Self.style(40))
        let colored = Self.table.lines(fitting: Self.style(40, color: true))
        #expect(colored[1].contains("\u{1B}[38;5;216mrejected\u{1B}[0m"))
        let stripped = colored.map { $0.replacing(#/\u{1B}\[[0-9;]*m/#, with: "") }
        #expect(stripped == plain)
        let light = OutputStyle(terminalWidth: 40, variables: ["COLORFGBG": "0;15"])
        #expect(light.isLight && !OutputStyle(terminalWidth: 40, variables: ["COLORFGBG": "15;0"]).isLight)
        #expect(Self.table.lines(fitting: light)[1].contains("38;5;94m"))
        #expect(Set(Palette.allCases.map { $0.terminalColor(onLight: false) }).count == Palette.allCases.count)
    }
}
