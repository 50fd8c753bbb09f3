/// What kind of device measured, as far as its names tell; the more trusted first.
enum DeviceClass: Int {
    case enteredByHand
    case watch
    case bandOrRing
    case phone
    case other

    /// The class of `origin`: what HealthKit says of the device comes before the name that a person gave the source.
    init(of origin: SampleOrigin) {
        if origin.isUserEntered {
            self = .enteredByHand
        } else {
            self = Self.named(in: origin.device) ?? Self.named(in: origin.sourceName) ?? .other
        }
    }

    /// The class that `text` names by a word of its own: "Watchara’s iPhone" is a phone.
    private static func named(in text: String) -> DeviceClass? {
        let words = words(of: text)
        return names.first { !words.isDisjoint(with: $0.names) }?.device
    }

    /// Products come before the words for any device of their kind.
    private static let names: [(names: Set<String>, device: DeviceClass)] = [
        (["watch", "smartwatch"], .watch),
        (["fitbit", "whoop", "oura", "garmin"], .bandOrRing),
        (["iphone", "ipod"], .phone),
        (["band", "smartband", "ring"], .bandOrRing),
        (["phone", "smartphone"], .phone),
    ]

    /// Runs of Latin letters in lower case, also the parts of such as `MiBand`; whose a thing is (`Ring’s`) is none.
    private static func words(of text: String) -> Set<String> {
        var words: Set<String> = []
        let scalars = Array(text.unicodeScalars)
        var place = 0
        while place < scalars.count {
            let start = place
            while place < scalars.count, isLetter(scalars[place]) { place += 1 }
            if place == start || isOwner(before: place, scalars) {
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

    /// Whether an apostrophe and an s that ends a word stand at `place`.
    private static func isOwner(before place: Int, _ scalars: [Unicode.Scalar]) -> Bool {
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
