import HealthSyncDomain
import Testing

@Suite("UUIDs for display")
struct FoldedIDTests {
    @Test(
        "A UUID anywhere in a text is cut to its first eight digits; other texts are unchanged",
        arguments: [
            ("bf6e616f-c730-55b9-9243-7ba963620128", "bf6e616f…"),
            ("com.apple.health.1B2C3D4E-AAAA-4BBB-8CCC-1234567890AB", "com.apple.health.1B2C3D4E…"),
            (
                "é/bf6e616f-c730-55b9-9243-7ba963620128/0b13b387-a97e-5e60-b41e-2318eb6ffd12/x",
                "é/bf6e616f…/0b13b387…/x"
            ),
            ("bf6e616f-c730-55b9-9243-7ba96362012", "bf6e616f-c730-55b9-9243-7ba96362012"),
            ("steps/hour/2024-06-05/2024-06-05T06:00:00Z", "steps/hour/2024-06-05/2024-06-05T06:00:00Z"), ("", ""),
        ])
    func folded(text: String, shown: String) {
        #expect(UUIDText.folded(text) == shown)
    }
}
