import HealthSyncCommands
import HealthSyncSystem

extension PosixFiles: UserFiles {}
