#pragma once
#include <libpq-fe.h>

// libpq prints notices to standard error unless a receiver is set.

static inline void healthsync_no_notice(void *nobody, const PGresult *notice) {
    (void)nobody;
    (void)notice;
}

static inline void healthsync_drop_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, healthsync_no_notice, (void *)0);
}
