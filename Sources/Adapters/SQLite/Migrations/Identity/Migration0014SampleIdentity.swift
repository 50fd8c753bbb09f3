extension Migration {
    /// Reduces devices to the part that updates and restores do not change, and removes identities from
    /// `HKExternalUUID` (decision 22).
    ///
    /// Merges origins that become equal, and their pages. For types delivered as samples, records the former content of
    /// each page and that its ids follow the former rule: the next run with a server deletes the former ids there and
    /// sends the samples under the new ones.
    static let sampleIdentity = Migration(
        number: 14,
        sql: """
            ALTER TABLE changed_page ADD COLUMN is_former INTEGER NOT NULL DEFAULT 0;
            UPDATE changed_page SET is_former = 1;
            """
    ) { connection, hasher in
        var conversion = try IdentityConversion(connection, hasher: hasher)
        try conversion.run()
        return conversion.note
    }
}
