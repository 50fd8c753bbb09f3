#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import, and sqlite3_config and sqlite3_db_config are variadic.

// Turns off the statistics of memory, which take a lock at each allocation. Has no effect once a connection is open.
static inline int healthsync_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

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

// Reads the start of the main file on disk and the file's size.
static inline int healthsync_read_start(sqlite3 *database, void *bytes, int count, sqlite3_int64 *size) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK || !file || !file->pMethods) return code != SQLITE_OK ? code : SQLITE_CANTOPEN;
    code = file->pMethods->xFileSize(file, size);
    if (code != SQLITE_OK || *size == 0) return code;
    code = file->pMethods->xRead(file, bytes, count, 0);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

static inline int healthsync_leave_wal_at_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Copies the main database of `source` to the main database of `target` in one read transaction.
static inline int healthsync_copy(sqlite3 *source, sqlite3 *target) {
    sqlite3_backup *backup = sqlite3_backup_init(target, "main", source, "main");
    if (!backup) return sqlite3_errcode(target);
    int code;
    do {
        code = sqlite3_backup_step(backup, -1);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) break;
    } while (code == SQLITE_OK);
    int finished = sqlite3_backup_finish(backup);
    return code == SQLITE_DONE ? finished : code;
}
