extension Array {
    /// Returns the elements of other days than `incomplete`, whose sums are incomplete; all if there are no others.
    package func leavingOut(_ incomplete: CalendarDay?, by day: (Element) -> CalendarDay) -> [Element] {
        let others = filter { day($0) != incomplete }
        return others.isEmpty ? self : others
    }
}
