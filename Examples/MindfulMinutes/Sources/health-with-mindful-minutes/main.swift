import HealthSyncApp
import MindfulMinutes

await HealthSync.main(adding: [MindfulMinutesHandler()])
