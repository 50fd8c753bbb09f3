#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import, and sqlite3_db_config is variadic.

static inline int healthsync_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int healthsync_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return count ? sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

static inline int healthsync_set_defensive(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}

static inline int healthsync_leave_wal_at_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
