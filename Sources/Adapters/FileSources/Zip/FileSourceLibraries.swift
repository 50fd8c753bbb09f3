import CHealthSyncISAL
import CHealthSyncZip

/// What reads archives.
package enum FileSourceLibraries {
    /// The version of libzip that runs.
    package static var zip: String { unsafe String(cString: zip_libzip_version()) }

    /// The version of ISA-L that this was built with; the library cannot be asked.
    package static var inflate: String { "\(ISAL_MAJOR_VERSION).\(ISAL_MINOR_VERSION).\(ISAL_PATCH_VERSION)" }
}
