import CHealthSyncMalloc

/// Settings of the allocator of this process.
package enum ProcessMemory {
    /// Limits the heaps of the process to two.
    ///
    /// With glibc, each thread has its own heap by default, and no other thread can use what is freed there. A run has
    /// ten threads, of which two are busy.
    package static func shareHeaps() { healthsync_limit_heaps(2) }
}
