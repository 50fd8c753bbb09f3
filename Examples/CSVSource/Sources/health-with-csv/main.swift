import CSVSource
import HealthSyncApp

await HealthSync.main(sources: [CSVFormat()])
