import BloodPressure
import HealthSyncApp

await HealthSync.main(adding: [BloodPressureHandler()])
