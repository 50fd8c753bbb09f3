import HealthSyncPorts
import HealthSyncSQLite
import HealthSyncSystem

/// Connects backups to the databases.
enum LiveBackups {
    static func backups(time: any TimeSource) -> any StoreBackups {
        FileBackups(
            databases: FileBackups.Databases(
                copy: { try SQLiteSnapshot.copy($0, to: $1) },
                check: { path, kind in
                    switch kind {
                    case .local: try SQLiteSnapshot.check(path, is: .local)
                    case .received: try SQLiteSnapshot.check(path, is: .received)
                    case .tokens: try SQLiteSnapshot.check(path, is: .tokens)
                    }
                }), time: time)
    }
}
