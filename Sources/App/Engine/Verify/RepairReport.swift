/// The result of a repair.
package struct RepairReport: Sendable {
    /// The differences found after the queued items had been sent.
    package var found: VerificationReport
    package var counts = RepairCounts()
    /// The remaining differences; empty if the repair succeeded.
    package var left: VerificationReport
    /// The last delivery.
    package var delivery: DeliveryReport

    package init(found: VerificationReport, delivery: DeliveryReport) {
        self.found = found
        left = found
        self.delivery = delivery
    }
}
