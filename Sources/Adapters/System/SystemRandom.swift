import HealthSyncPorts

/// The system's random number generator.
package struct SystemRandom: RandomSource {
    package init() {}

    package func fraction() -> Double { Double.random(in: 0..<1) }

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<max(0, count)).map { _ in generator.next() }
    }
}
