#pragma once

// Swift's Glibc module has no malloc.h. Other C libraries than glibc have no such setting.
#ifdef __linux__
#include <malloc.h>
#endif

/// Limits the number of heaps that the threads of the process share.
static inline void healthsync_limit_heaps(int count) {
#ifdef M_ARENA_MAX
    mallopt(M_ARENA_MAX, count);
#else
    (void)count;
#endif
}

/// Returns free memory of the heaps to the system.
static inline void healthsync_return_free_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
