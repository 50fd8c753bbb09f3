import HealthSyncCommands
import Testing

@Suite("Charts")
struct ChartTests {
    private static let blocks = OutputStyle(width: 80, hasColor: false, hasBlocks: true)
    private static let ascii = OutputStyle(width: 80, hasColor: false, hasBlocks: false)

    @Test("The length of a bar is its share, never empty for a positive value and never too long")
    func bars() {
        let chart = BarChart(of: [1, 50, 100], room: 10, style: Self.blocks)
        #expect(chart.bar(100) == "██████████")
        #expect(chart.bar(50) == "█████")
        #expect(chart.bar(51) == "█████▏")
        #expect(chart.bar(0.001) == "▏")
        #expect(chart.bar(0) == "")
        #expect(BarChart(of: [100], room: 10, style: Self.ascii).bar(51) == "######")
        #expect(BarChart(of: [], room: 10, style: Self.blocks).bar(1) == "")
    }

    @Test("A sparkline spans the minimum to the maximum and leaves gaps")
    func sparkline() {
        #expect(Sparkline.line([1, nil, 8, 4.5], style: Self.blocks) == "▁·█▅")
        #expect(Sparkline.line([0, nil, 80, 40], from: 0, style: Self.ascii) == "_.@+")
        #expect(Sparkline.line([5, 5], style: Self.blocks) == "▅▅")
        #expect(Sparkline.line([nil, nil], style: Self.blocks) == "")
    }

    @Test("A range stays within its width")
    func range() {
        let chart = RangeBar(from: 40, to: 140, room: 10, style: Self.blocks)
        #expect(chart.bar(minimum: 40, mean: 90, maximum: 140) == "─────●────")
        #expect(chart.bar(minimum: 60, mean: 60, maximum: 60) == "  ●")
        #expect(RangeBar(from: 60, to: 60, room: 10, style: Self.ascii).bar(minimum: 60, mean: 60, maximum: 60) == "o")
    }

    @Test("Variables control colors and block characters")
    func style() {
        let style = { OutputStyle(terminalWidth: 80, variables: $0) }
        #expect(style([:]).hasColor)
        #expect(style(["NO_COLOR": ""]).hasColor)
        #expect(!style(["NO_COLOR": "1"]).hasColor)
        #expect(!style(["TERM": "dumb"]).hasColor)
        #expect(style(["LANG": "de_DE.UTF-8"]).hasBlocks)
        #expect(style(["LANG": "C", "LC_ALL": "C.utf8"]).hasBlocks)
        #expect(!style(["LANG": "de_DE.UTF-8", "LC_ALL": "POSIX"]).hasBlocks)
        #expect(!style([:]).hasBlocks)
    }
}
