import CHealthSyncISAL
import CHealthSyncZip

/// The libraries that read archives.
package enum FileSourceLibraries {
    /// The version of the loaded libzip.
    package static var zip: String { unsafe String(cString: zip_libzip_version()) }

    /// The version of ISA-L at build time; the library does not report it.
    package static var inflate: String { "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)" }
}
