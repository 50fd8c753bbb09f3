import HealthSyncApp
import StepBuddy

await HealthSync.main(decoders: [StepBuddyDecoder()])
