extension Migration {
    /// Devices without what changes with updates and restores, and no identity made of `HKExternalUUID` (decision 22).
    ///
    /// Origins that become equal are one, and so are their pages. For types that travel as samples it is noted what each
    /// page held and that the ids of it were made by the former rule: the next run with a server deletes the former ids
    /// there and sends the samples under theirs.
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
