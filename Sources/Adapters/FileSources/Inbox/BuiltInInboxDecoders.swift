package import HealthSyncPorts

/// The apps whose posts the program decodes, in the order in which they are asked.
///
/// Senders with a path or headers of their own come first. The companion app comes before HC Webhook, whose lists it also
/// sends. Plain lines are recognized by little and come last.
package enum BuiltInInboxDecoders {
    /// - Parameter hasher: finds ids that follow from the content.
    package static func all(hasher: any ContentHasher) -> [any InboxDecoder] {
        [
            StepsDecoder(hasher: hasher), HCGatewayDecoder(), HozzDecoder(), OpenWearablesDecoder(),
            HealthAutoExportDecoder(), CompanionDecoder(), HCWebhookDecoder(), PlainLinesDecoder(hasher: hasher),
        ]
    }
}
