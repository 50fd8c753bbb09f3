import HealthSyncDomain

/// The watch and the phone of the user on a day, and their systems. The first row also applies before its date, and the
/// last row after it.
struct DeviceHistory: Sendable {
    private struct Row: Sendable {
        let from: Int
        let text: String

        init(_ year: Int, _ month: Int, _ day: Int, _ text: String) {
            from = CalendarDay(year: year, month: month, day: day)?.ordinal ?? .min
            self.text = text
        }
    }

    func watch(on day: CalendarDay) -> Device {
        Device(
            sourceName: "Anna\u{2019}s Apple\u{A0}Watch", name: "Apple Watch", model: "Watch",
            hardware: Self.text(Self.watchHardware, on: day), software: Self.text(Self.watchSoftware, on: day))
    }

    func phone(on day: CalendarDay) -> Device {
        Device(
            sourceName: "Anna\u{2019}s iPhone", name: "iPhone", model: "iPhone",
            hardware: Self.text(Self.phoneHardware, on: day), software: Self.text(Self.phoneSoftware, on: day))
    }

    private static func text(_ rows: [Row], on day: CalendarDay) -> String {
        (rows.last { $0.from <= day.ordinal } ?? rows[0]).text
    }

    private static let watchHardware = [
        Row(2015, 4, 24, "Watch1,2"), Row(2016, 10, 1, "Watch2,4"), Row(2018, 10, 6, "Watch4,4"),
        Row(2021, 11, 13, "Watch6,9"), Row(2024, 10, 5, "Watch7,9"),
    ]
    private static let phoneHardware = [
        Row(2015, 10, 3, "iPhone8,1"), Row(2017, 11, 25, "iPhone10,6"), Row(2020, 11, 14, "iPhone13,2"),
        Row(2022, 10, 22, "iPhone15,2"), Row(2024, 10, 12, "iPhone17,1"),
    ]
    private static let watchSoftware = [
        Row(2015, 9, 22, "2.1"), Row(2016, 3, 23, "2.2"), Row(2016, 9, 20, "3.0"), Row(2016, 12, 14, "3.1.1"),
        Row(2017, 3, 29, "3.2"), Row(2017, 9, 23, "4.0"), Row(2018, 1, 25, "4.2.2"), Row(2018, 4, 3, "4.3"),
        Row(2018, 9, 20, "5.0"), Row(2018, 12, 8, "5.1.2"), Row(2019, 5, 15, "5.2.1"), Row(2019, 9, 21, "6.0"),
        Row(2020, 1, 30, "6.1.2"), Row(2020, 9, 18, "7.0"), Row(2021, 1, 28, "7.3"), Row(2021, 9, 22, "8.0"),
        Row(2022, 3, 16, "8.5"), Row(2022, 9, 14, "9.0"), Row(2022, 12, 15, "9.2"), Row(2023, 5, 20, "9.5"),
        Row(2023, 9, 20, "10.0.1"), Row(2024, 1, 24, "10.3"), Row(2024, 9, 18, "11.0"), Row(2025, 1, 29, "11.3"),
        Row(2025, 5, 14, "11.5"),
    ]
    private static let phoneSoftware = [
        Row(2015, 9, 24, "9.0.1"), Row(2016, 3, 23, "9.3"), Row(2016, 9, 19, "10.0.1"), Row(2017, 1, 25, "10.2.1"),
        Row(2017, 9, 23, "11.0"), Row(2018, 4, 1, "11.3"), Row(2018, 9, 22, "12.0"), Row(2019, 3, 27, "12.2"),
        Row(2019, 9, 25, "13.0"), Row(2020, 4, 10, "13.4.1"), Row(2020, 9, 18, "14.0"), Row(2021, 4, 29, "14.5"),
        Row(2021, 9, 22, "15.0"), Row(2022, 3, 16, "15.4"), Row(2022, 9, 14, "16.0"), Row(2023, 1, 25, "16.3"),
        Row(2023, 9, 20, "17.0.1"), Row(2024, 3, 7, "17.4"), Row(2024, 9, 18, "18.0"), Row(2025, 1, 29, "18.3"),
        Row(2025, 5, 14, "18.5"),
    ]
}

/// A device and its software on a day.
struct Device: Sendable, Hashable {
    /// The source's name as HealthKit shows it.
    var sourceName: String
    var name: String
    var model: String
    var hardware: String
    var software: String

    /// Returns HealthKit's description in records of `type`, escaped for an attribute. The object address in it is
    /// meaningless and differs from type to type.
    func description(for type: String, seed: UInt64) -> String {
        let hash = (type + hardware + software).utf8.reduce(seed) { SeededStream.mixed($0 ^ UInt64($1)) }
        let address = 0x2_8000_0000 | (hash & 0x0FFF_FFE0)
        return "&lt;&lt;HKDevice: 0x\(String(address, radix: 16))&gt;, name:\(name), manufacturer:Apple Inc., "
            + "model:\(model), hardware:\(hardware), software:\(software)&gt;"
    }
}
