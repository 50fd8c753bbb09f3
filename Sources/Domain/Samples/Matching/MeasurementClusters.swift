/// Groups the samples of several inputs, which have the same times, into measurements with at most one sample of each
/// input. The samples of a group agree with each other, and the nearest pair is joined first.
struct MeasurementClusters {
    /// A sample is compared with this many groups on each side of its value, which bounds the time that any number of
    /// samples of one second takes.
    private static let mostNeighbors = 64

    private struct Cluster {
        var parts: [StatedValue]
        /// The part that keeps most digits.
        var best: StatedValue

        init(_ part: StatedValue) { (parts, best) = ([part], part) }

        mutating func append(_ part: StatedValue) {
            parts.append(part)
            if part.precision.half < best.precision.half { best = part }
        }
    }

    private struct Pair {
        let distance: Double
        let part: Int
        let cluster: Int
    }

    private var clusters: [Cluster] = []

    /// The samples of each measurement.
    var members: [[SourceMatching.Member]] { clusters.map { $0.parts.map(\.member) } }

    /// Adds all samples of one input.
    mutating func add(_ parts: [StatedValue]) {
        guard !clusters.isEmpty else {
            clusters = parts.map(Cluster.init)
            return
        }
        var waiting = parts.sorted {
            ($0.value, $0.member.page, $0.member.row) < ($1.value, $1.member.page, $1.member.row)
        }
        var open = clusters.indices.sorted { (clusters[$0].best.value, $0) < (clusters[$1].best.value, $1) }
        joinEqual(&waiting, &open)
        var isJoined = [Bool](repeating: false, count: waiting.count)
        var isOpen = [Bool](repeating: true, count: clusters.count)
        for pair in pairs(waiting, open) where !isJoined[pair.part] && isOpen[pair.cluster] {
            clusters[pair.cluster].append(waiting[pair.part])
            isJoined[pair.part] = true
            isOpen[pair.cluster] = false
        }
        for (place, part) in waiting.enumerated() where !isJoined[place] { clusters.append(Cluster(part)) }
    }

    /// Joins samples with groups of the same value, and removes both. Both are ordered by value.
    private mutating func joinEqual(_ waiting: inout [StatedValue], _ open: inout [Int]) {
        var left: [StatedValue] = []
        var unjoined: [Int] = []
        var place = 0
        for part in waiting {
            while place < open.count, clusters[open[place]].best.value < part.value {
                unjoined.append(open[place])
                place += 1
            }
            if place < open.count, clusters[open[place]].best.value == part.value {
                clusters[open[place]].append(part)
                place += 1
            } else {
                left.append(part)
            }
        }
        (waiting, open) = (left, unjoined + open[place...])
    }

    /// Returns the agreeing pairs of samples and groups, nearest first.
    private func pairs(_ waiting: [StatedValue], _ open: [Int]) -> [Pair] {
        var pairs: [Pair] = []
        for (place, part) in waiting.enumerated() {
            let middle = open.partitionPoint { clusters[$0].best.value < part.value }
            let first = max(0, middle - Self.mostNeighbors)
            for cluster in open[first..<min(open.count, middle + Self.mostNeighbors)]
            where clusters[cluster].parts.allSatisfy({ $0.agrees(with: part) }) {
                pairs.append(
                    Pair(distance: part.distance(to: clusters[cluster].best), part: place, cluster: cluster))
            }
        }
        return pairs.sorted { ($0.distance, $0.part, $0.cluster) < ($1.distance, $1.part, $1.cluster) }
    }
}
