package import HealthSyncPorts

/// The formats that the program reads, in the order in which they are asked.
package enum BuiltInSourceFormats {
    /// - Parameters:
    ///   - hasher: digests both ends of a file for its fingerprint.
    ///   - limits: the size to which an archive may be decompressed.
    package static func all(
        hasher: any ContentHasher, limits: DecompressionLimits = DecompressionLimits()
    ) -> [any HealthSourceFormat] {
        [
            AppleHealthFormat(hasher: hasher, limits: limits),
            FileFormat.healthAutoExport(hasher: hasher),
            // Before JSON Lines, which has the member `startDate` too.
            FileFormat.hozz(hasher: hasher),
            FileFormat.jsonLines(hasher: hasher),
        ]
    }
}

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
