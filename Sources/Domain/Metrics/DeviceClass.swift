/// The class of a device according to its names, the most trusted first.
package enum DeviceClass: Int {
    case enteredByHand
    case watch
    case bandOrRing
    case phone
    case other

    /// Creates the class of `origin`. HealthKit's device text takes precedence over the source name, which users choose.
    init(of origin: SampleOrigin) {
        if origin.isUserEntered {
            self = .enteredByHand
        } else {
            self = Self.named(in: origin.device) ?? Self.named(in: origin.sourceName) ?? .other
        }
    }

    /// Returns whether a whole word of `text` names a class.
    package static func isNamed(in text: String) -> Bool { named(in: text) != nil }

    /// Returns the class that a whole word of `text` names: "Watchara’s iPhone" is a phone.
    private static func named(in text: String) -> DeviceClass? {
        let words = words(of: text)
        return names.first { !words.isDisjoint(with: $0.names) }?.device
    }

    /// Product names come before generic words.
    private static let names: [(names: Set<String>, device: DeviceClass)] = [
        (["watch", "smartwatch"], .watch),
        (["fitbit", "whoop", "oura", "garmin"], .bandOrRing),
        (["iphone", "ipod"], .phone),
        (["band", "smartband", "ring"], .bandOrRing),
        (["phone", "smartphone"], .phone),
    ]

    /// Returns the runs of Latin letters in lower case, and the parts of words such as `MiBand`. Ignores possessives
    /// (`Ring’s`).
    private static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        let scalars = Array(text.unicodeScalars)
        var place = 0
        while place < scalars.count {
            let start = place
            while place < scalars.count, isLetter(scalars[place]) { place += 1 }
            if place == start || isPossessive(before: place, scalars) {
                place += 1
                continue
            }
            var part = start
            for next in (start + 1)..<place where isCapital(scalars[next]) && !isCapital(scalars[next - 1]) {
                words.insert(lowercase(scalars[part..<next]))
                part = next
            }
            words.formUnion([lowercase(scalars[part..<place]), lowercase(scalars[start..<place])])
        }
        return words
    }

    /// Returns whether `place` is followed by an apostrophe and an s that ends a word.
    private static func isPossessive(before place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard place + 1 < scalars.count, scalars[place] == "'" || scalars[place] == "\u{2019}" else { return false }
        let isEndOfWord = place + 2 == scalars.count || !isLetter(scalars[place + 2])
        return (scalars[place + 1] == "s" || scalars[place + 1] == "S") && isEndOfWord
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { isCapital(scalar) || ("a"..."z").contains(scalar) }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }

    private static func lowercase(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars)).lowercased()
    }
}
