import HealthSyncApp

@main struct Program {
    static func main() async { await HealthSync.main() }
}
