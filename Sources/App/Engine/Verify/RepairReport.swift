/// What a repair came to.
package struct RepairReport: Sendable {
    /// In what both sides differed, after what waited had been sent.
    package var found: VerificationReport
    package var counts = RepairCounts()
    /// In what they still differ; without differences when the repair succeeded.
    package var left: VerificationReport
    /// The last delivery.
    package var delivery: DeliveryReport

    package init(found: VerificationReport, delivery: DeliveryReport) {
        self.found = found
        left = found
        self.delivery = delivery
    }
}
