import Testing

@testable import HealthSyncPostgres

@Suite("The order of migrations of PostgreSQL")
struct MigrationOrderTests {
    @Test(
        "A gap, a duplicate, a wrong start or a wrong order is rejected",
        arguments: [[1, 3], [1, 1, 2], [1, 2, 2], [2], [0, 1], [2, 1]] as [[Int64]])
    func rejected(numbers: [Int64]) {
        let error = #expect(throws: PostgresError.self) { try PostgresMigration.requireConsecutive(numbers) }
        #expect(error?.message.contains("\(numbers)") == true)
    }

    @Test("The released migrations are consecutive")
    func released() throws {
        try PostgresMigration.requireConsecutive([])
        try PostgresMigration.requireConsecutive(PostgresMigration.all.map(\.number))
        #expect(!PostgresMigration.all.isEmpty)
    }
}
