import HealthSyncApp
import WakingSteps

await HealthSync.main(adding: [WakingStepsHandler()])
