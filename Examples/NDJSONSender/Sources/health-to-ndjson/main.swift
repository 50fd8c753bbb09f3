import HealthSyncApp
import NDJSONSender

await HealthSync.main(senders: [NDJSONFormat()])
