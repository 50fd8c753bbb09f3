import Foundation
import HealthSyncCommands
import HealthSyncDomain
import Testing

@Suite("Shoe commands")
struct ShoesCommandTests {
    @Test("`daily` starts a session of the default shoes at the first steps and ends it after six hours without steps")
    func automaticSessions() async throws {
        let shoes = await ShoeWorld()
        let started = "shoe session started automatically: 👟 Salomon Speedcross 6: since 2024-01-15 09:00\n"
        #expect(await shoes.run("daily --source list").contains(started))
        let again = await shoes.run("daily --source list")
        #expect(!again.contains("shoe"))
        #expect(await shoes.run("shoes check", afterMinutes: 129) == "nothing to change\n")
        #expect(
            await shoes.run("shoes check", afterMinutes: 1)
                == "shoe session ended automatically: 👟 Salomon Speedcross 6: 2024-01-15 09:00 to 09:10\n")
        let shown = await shoes.run("shoes show speedcross 6")
        #expect(shown.hasSuffix("last worn\n  2024-01-15 09:00 to 09:10  automatic\n"))
        #expect(shown.contains("  steps       1,250\n"))
        let historical = try await shoes.json("historical --source list")
        #expect(historical["shoes"] is NSNull)
    }

    @Test("The configuration sets the hours of inactivity")
    func inactivity() async throws {
        let shoes = await ShoeWorld()
        try shoes.configure(#"{"shoes": {"inactivityHours": 3}}"#)
        #expect(
            await shoes.run("daily --source list").contains(
                "shoe session started automatically: 👟 Salomon Speedcross 6: 2024-01-15 09:00 to 09:10\n"))
    }

    @Test("Starting a session ends the current one at that instant")
    func switching() async {
        let shoes = await ShoeWorld()
        #expect(await shoes.run("shoes start") == "started: 👟 Salomon Speedcross 6: since 2024-01-15 13:00\n")
        #expect(
            await shoes.run("shoes start pegasus", afterMinutes: 90) == """
                ended: 👟 Salomon Speedcross 6: 2024-01-15 13:00 to 14:30
                started: Nike Pegasus: since 2024-01-15 14:30

                """)
        #expect(
            await shoes.run("shoes start NIKE PEGASUS")
                == "healthsync: Nike Pegasus: is already being worn; end it with `healthsync shoes stop`\n")
        #expect(
            await shoes.run("shoes archive pegasus")
                == "healthsync: Nike Pegasus: is being worn; end it with `healthsync shoes stop` first\n")
        #expect(
            await shoes.run("shoes toggle", afterMinutes: 30)
                == "ended: Nike Pegasus: 2024-01-15 14:30 to 15:00\n")
        #expect(
            await shoes.run("shoes stop")
                == "healthsync: no shoe is being worn; start one with `healthsync shoes start SHOE`\n")
        #expect(await shoes.run("shoes toggle") == "started: 👟 Salomon Speedcross 6: since 2024-01-15 15:00\n")
    }

    @Test("Archived shoes cannot be worn until they are restored")
    func archiving() async throws {
        let shoes = await ShoeWorld()
        let id = try await shoes.id(of: "Speedcross 6")
        #expect(await shoes.run("shoes archive speedcross 6") == "archived: 👟 Salomon Speedcross 6 (\(id.prefix(8)))\n")
        let advice = "restore it with `healthsync shoes unarchive SHOE`"
        for line in ["shoes start speedcross 6", "shoes default speedcross 6", "shoes toggle speedcross 6"] {
            #expect(await shoes.run(line) == "healthsync: Salomon Speedcross 6: is archived; \(advice)\n")
        }
        #expect(
            await shoes.run("shoes start").hasPrefix("healthsync: SHOE: no shoe was named, and there is no default"))
        let list = await shoes.run("shoes list")
        #expect(list.contains("archived"))
        #expect(!list.contains("default"))
        #expect(await shoes.run("shoes unarchive speedcross 6").hasPrefix("restored: "))
        #expect(await shoes.run("shoes default speedcross 6") == "default: 👟 Salomon Speedcross 6\n")
        #expect(await shoes.run("shoes default --none") == "no default shoes\n")
    }

    @Test("shoes edit changes and removes details and keeps the others")
    func editing() async throws {
        let shoes = await ShoeWorld()
        let line = "shoes edit pegasus --model Pegasus+ --color #00ff7F --purchased 2024-01-02 --price 99.5EUR"
        #expect(await shoes.run(line).hasPrefix("changed: Nike Pegasus+ ("))
        let shown = await shoes.run("shoes show pegasus+")
        for line in ["  color      #00ff7F\n", "  purchased  2024-01-02\n", "  price      99.50 EUR\n"] {
            #expect(shown.contains(line), "\(shown)")
        }
        _ = await shoes.run("shoes edit pegasus+ --colour none --price none")
        let shoe = try #require(try await shoes.json("shoes show pegasus+")["shoe"] as? [String: Any])
        #expect(shoe["purchased"] as? String == "2024-01-02")
        #expect(shoe["brand"] as? String == "Nike")
        #expect(shoe["color"] as? String == nil)
        #expect(shoe["price"] as? [String: Any] == nil)
        #expect(
            await shoes.run("shoes edit pegasus+").hasPrefix("healthsync: shoes edit: missing option"))
    }

    @Test("A shoe is found by brand and model, by model or by the beginning of its id")
    func naming() async throws {
        let shoes = await ShoeWorld()
        let id = try await shoes.id(of: "Pegasus")
        for name in ["nike pegasus", "PEGASUS", id, String(id.prefix(4)), id.uppercased()] {
            #expect(await shoes.run("shoes show \(name)").hasPrefix("Nike Pegasus\n"), "\(name)")
        }
        #expect(
            await shoes.run("shoes show pegasos")
                == "healthsync: SHOE: no such shoe: \"pegasos\"; did you mean Pegasus?\n")
        let advice = "see `healthsync shoes list`"
        for name in ["nike", "sal", "SPEED", "6", "peg"] {
            let shown = await shoes.run("shoes show \(name)")
            #expect(
                shown.hasPrefix("nike peg".contains(name) ? "Nike Pegasus\n" : "👟 Salomon Speedcross 6\n"), "\(name)")
        }
        for name in [String(id.prefix(3)), "salmon", "\u{1B}[31m"] {
            let failure = await shoes.run("shoes show \(name)")
            #expect(failure.hasSuffix("; \(advice)\n"), "\(failure)")
            #expect(!failure.contains("\u{1B}"))
        }
        _ = await shoes.run("shoes add Nike Vomero")
        let two = await shoes.run("shoes show nike")
        #expect(two.hasPrefix("healthsync: SHOE: \"nike\" matches 2 shoes; use an id: "))
        #expect(two.contains("(Nike Pegasus)") && two.contains("(Nike Vomero)"))
        _ = await shoes.run("shoes add Nike Pegasus")
        let ambiguous = await shoes.run("shoes show pegasus")
        #expect(ambiguous.hasPrefix("healthsync: SHOE: \"pegasus\" matches 2 shoes; use an id: "))
        #expect(ambiguous.contains("\(id.prefix(8)) (Nike Pegasus)"))
    }

    @Test(
        "Invalid commands are rejected and change nothing",
        arguments: [
            "shoes add Nike", "shoes add Nike Vomero --price 12", "shoes add Nike Vomero --emoji shoe",
            "shoes add Nike Vomero --colour #12", "shoes add Nike Vomero --purchased 2024-01-16",
            "shoes add Nike Vomero --purchased 2023-02-29", "shoes edit pegasus --price -5EUR", "shoes default",
            "shoes default pegasus --none", "shoes assign pegasus --day today", "shoes assign pegasus --hours 8",
            "shoes assign pegasus --day today --hours 14", "shoes assign pegasus --day tomorrow --hours 1",
            "shoes assign pegasus --day 2024-01-16 --hours 8", "shoes assign pegasus --day today --hours 24",
            "shoes assign pegasus --day today --hours 9-8", "shoes assign pegasus --day today --hours 8,,9",
            "shoes assign pegasus --day 2024-03-31 --hours 2", "shoes assign pegasus --day 2023-10-29 --hours 2",
            "shoes unassign pegasus --day today --hours 8", "journal 2024-02-30",
        ])
    func invalid(line: String) async throws {
        let shoes = await ShoeWorld()
        let before = try await shoes.stored()
        let outcome = await shoes.world.run(line)
        #expect(outcome.status == .usage, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        #expect(try await shoes.stored() == before)
    }
}
