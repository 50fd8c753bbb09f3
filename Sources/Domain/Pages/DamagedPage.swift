/// The error for bytes that are not a valid page.
package struct DamagedPage: Error, Sendable {
    package init() {}
}
