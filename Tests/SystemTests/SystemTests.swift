import Foundation
import HealthSyncDomain
import HealthSyncPorts
import HealthSyncSystem
import Testing

@Suite("Clock, random numbers and hashes")
struct SystemTests {
    @Test("Time does not go backwards")
    func monotonic() {
        let clock = SystemClock()
        let moments = (0..<1_000).map { _ in clock.now() }
        #expect(moments == moments.sorted())
        #expect(moments[0].seconds > 1_700_000_000)
    }

    @Test("Waiting ends early when the task is cancelled")
    func cancelledWait() async {
        let waiting = Task { try await SystemClock().wait(milliseconds: 86_400_000) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test(
        "The zone is the value of TZ, even if it is misspelled",
        arguments: [
            ("Europe/Paris", "Europe/Paris"), (":Asia/Tokyo", "Asia/Tokyo"), ("Mars/Base", "Mars/Base"), ("", "UTC"),
            (":/usr/share/zoneinfo/America/New_York", "America/New_York"),
        ])
    func zone(stated: String, expected: String) {
        #expect(SystemClock(environment: ["TZ": stated]).systemZoneName() == expected)
    }

    @Test("Without TZ the zone is one that exists")
    func machineZone() throws {
        let name = SystemClock(environment: [:]).systemZoneName()
        #expect(throws: Never.self) { try SystemClock().zoneRules(named: name) }
    }

    @Test("Random numbers stay within their bounds and differ")
    func chance() {
        let random = SystemRandom()
        #expect((0..<1_000).allSatisfy { _ in (0..<1).contains(random.fraction()) })
        #expect(random.bytes(32) != random.bytes(32))
        #expect(random.bytes(32).count == 32)
        #expect(random.bytes(0).isEmpty)
    }

    @Test("SHA-256 and SHA-1 give the published digests of FIPS 180")
    func hashes() {
        let hasher = LibcryptoHasher()
        #expect(hasher.digest("abc") == ContentDigest(high: 0xba78_16bf_8f01_cfea, low: 0x4141_40de_5dae_2223))
        #expect(hasher.digest("") == ContentDigest(high: 0xe3b0_c442_98fc_1c14, low: 0x9afb_f4c8_996f_b924))
        let sha1 = Array("abc".utf8).withUnsafeBytes { hasher.sha1Prefix($0) }
        #expect(sha1 == ContentDigest(high: 0xa999_3e36_4706_816a, low: 0xba3e_2571_7850_c26c))
    }

    @Test("SHA-1 of the URL namespace gives the namespace of sample ids")
    func namespace() {
        let url: [UInt8] = [
            0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8,
        ]
        let bytes = url + Array("healthsync:samples".utf8)
        let id = SampleID(version5: bytes.withUnsafeBytes { LibcryptoHasher().sha1Prefix($0) })
        #expect(id == SampleID("41dde194-6fa4-56ac-b4cc-45fced1ba3e5"))
    }

    @Test("The library reports its version")
    func version() { #expect(LibcryptoHasher.libraryVersion.contains("SSL")) }
}
