import HealthSyncDomain
import Testing

@Suite("Definitions of types")
struct TypeDefinitionsTests {
    private static let steps = SampleType(rawValue: "HKQuantityTypeIdentifierStepCount")
    private static let other = SampleType(rawValue: "HKQuantityTypeIdentifierSomethingNew")

    private func failure(_ definitions: SampleTypeDefinition...) -> String {
        do {
            let authors = definitions.enumerated().map {
                TypeDefinitions.Author(name: "the handler \"number\($0)\"", definitions: [$1])
            }
            _ = try TypeDefinitions(authors)
            return "none"
        } catch {
            #expect(error.code == .configuration)
            return error.description
        }
    }

    @Test("Redefining a built-in type with another unit, kind or averaging is an error that names both authors")
    func builtIn() {
        let text = failure(SampleTypeDefinition(Self.steps, .cumulative, unit: "kcount", factors: ["count": 0.001]))
        #expect(text.contains("HKQuantityTypeIdentifierStepCount"))
        #expect(text.contains(#"the handler "number0" defines it as cumulative, in "kcount""#))
        #expect(text.contains(#"the built-in table as cumulative, in "count""#))
        #expect(failure(SampleTypeDefinition(Self.steps, .discrete, unit: "count")).contains("as discrete"))
        let rate = SampleTypeDefinition(SampleTypeDefinition.heartRate.type, .discrete, unit: "count/min")
        #expect(failure(rate).contains("temporallyWeighted"))
        let minutes = SampleTypeDefinition(
            SampleTypeDefinition.exerciseTime.type, .cumulative, unit: "min", factors: ["s": 60])
        #expect(failure(minutes).contains(#""s" × 60"#))
    }

    @Test("Two handlers with conflicting definitions of a type are named")
    func plugIns() {
        let text = failure(
            SampleTypeDefinition(Self.other, .discrete, unit: "mg"),
            SampleTypeDefinition(Self.other, .discrete, unit: "g"))
        #expect(
            text.contains(#"the handler "number1" defines it as discrete, arithmetic, in "g", the handler "number0""#))
    }

    @Test("Definitions that agree are merged, with the units of both")
    func joined() throws {
        let pressure = SampleType(rawValue: "HKQuantityTypeIdentifierBloodPressureSystolic")
        let own = SampleTypeDefinition(
            pressure, .discrete, unit: "mmHg", factors: ["kPa": 1000 / 133.322387415, "Pa": 1 / 133.322387415])
        let author = TypeDefinitions.Author(
            name: "a", definitions: [own, SampleTypeDefinition(Self.other, .state, unit: "mg")])
        let table = try TypeDefinitions([author]).table
        #expect(table[pressure]?.factors.keys.sorted() == ["Pa", "cmAq", "kPa"])
        #expect(table[Self.other]?.unit == "mg")
        #expect(table.rows.count == SampleTypeTable.builtIn().rows.count + 1)
    }

    @Test("The built-in handlers agree with the table")
    func defaults() throws {
        #expect(try TypeDefinitions([]).table.rows == SampleTypeTable.builtIn().rows)
    }
}
