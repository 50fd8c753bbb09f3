/* A library to preload. It counts the calls by which a program changes the files of a folder or sends on a socket, and
 * kills the program at one of them, makes calls fail, or records them. calls.py documents the variables that control it.
 *
 * Counted calls are serialized, so that the order of the records is the order of the effects. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum action { NONE, BEFORE, AFTER, HALF, FAIL, SHORT, SIGNAL };

static struct {
    char folder[4096], only[1024];
    size_t folder_length;
    enum action action;
    long at, every, count;
    int error, log, journal, ignores_sync;
} state = { .log = -1, .journal = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int is_inside;

static long number(const char *name, long fallback) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : fallback;
}

static int output(const char *name) {
    const char *path = getenv(name);
    if (!path) return -1;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (descriptor < 0) return -1;
    /* A high number keeps the numbers of the program's own descriptors unchanged. */
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 900);
    if (moved < 0) return descriptor;
    syscall(SYS_close, descriptor);
    return moved;
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("CALLS_FOLDER"), *action = getenv("CALLS_ACTION"), *only = getenv("CALLS_ONLY");
    if (!folder) return;
    state.folder_length = (size_t)snprintf(state.folder, sizeof state.folder, "%s/", folder);
    if (only) snprintf(state.only, sizeof state.only, ",%s,", only);
    static const char *names[] = { "none", "before", "after", "half", "fail", "short", "signal" };
    for (int index = 0; action && index < 7; index++)
        if (!strcmp(action, names[index])) state.action = (enum action)index;
    state.at = number("CALLS_AT", 0);
    state.every = number("CALLS_EVERY", 0);
    state.error = (int)number("CALLS_ERROR", EIO);
    state.ignores_sync = (int)number("CALLS_IGNORE_SYNC", 0);
    state.log = output("CALLS_LOG");
    state.journal = output("CALLS_JOURNAL");
}

#define REAL(name) ({ \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    real; })

/* Returns the path below the folder, "socket", or NULL for anything else. */
static const char *below(const char *path) {
    if (!strncmp(path, state.folder, state.folder_length)) return path + state.folder_length;
    if (!strncmp(path, state.folder, state.folder_length - 1) && !path[state.folder_length - 1]) return ".";
    return NULL;
}

static const char *of_descriptor(int descriptor, char *buffer, size_t size) {
    if (!state.folder_length) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, buffer, size - 1);
    if (length < 0) return NULL;
    buffer[length] = 0;
    if (!strncmp(buffer, "socket:", 7)) return "socket";
    return below(buffer);
}

/* Resolves the folder of a path, as the last component may be a file that does not exist yet. */
static const char *of_path(int folder, const char *path, char *buffer, size_t size) {
    if (!state.folder_length || !path) return NULL;
    char whole[8192];
    if (path[0] != '/') {
        char base[4096], link[64];
        snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return NULL;
        base[length] = 0;
        snprintf(whole, sizeof whole, "%s/%s", base, path);
    } else {
        snprintf(whole, sizeof whole, "%s", path);
    }
    char *slash = strrchr(whole, '/'), resolved[4096];
    if (!slash) return NULL;
    *slash = 0;
    if (!realpath(*whole ? whole : "/", resolved)) return NULL;
    snprintf(buffer, size, "%s/%s", resolved, slash + 1);
    return below(buffer);
}

static void put(int descriptor, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size) {
        ssize_t written = syscall(SYS_write, descriptor, from, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        from += written;
        size -= (size_t)written;
    }
}

/* One record: a line of JSON without escapes (the tests choose the paths), then the bytes. */
static void record(const char *name, const char *target, const char *other, int64_t offset, const void *bytes, size_t size) {
    if (state.journal < 0) return;
    char line[9000];
    int length = snprintf(line, sizeof line, "{\"call\":\"%s\",\"path\":\"%s\",\"other\":\"%s\",\"offset\":%lld,\"size\":%zu}\n",
        name, target, other ? other : "", (long long)offset, bytes ? size : 0);
    put(state.journal, line, (size_t)length);
    if (bytes) put(state.journal, bytes, size);
}

static void end_process(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/* Counts a call; returns what to do with it. Takes the lock, which `leave` releases. */
static enum action enter(const char *name, const char *target) {
    if (!target || is_inside) return NONE;
    char listed[64];
    snprintf(listed, sizeof listed, ",%s,", name);
    if (state.only[0] && !strstr(state.only, listed)) return NONE;
    is_inside = 1;
    pthread_mutex_lock(&lock);
    state.count++;
    if (state.log >= 0) {
        char line[4300];
        int length = snprintf(line, sizeof line, "%s %s\n", name, target);
        put(state.log, line, (size_t)length);
    }
    int is_selected = state.at && (state.count == state.at
        || (state.every && state.count > state.at && (state.count - state.at) % state.every == 0));
    if (!is_selected) return NONE;
    if (state.action == BEFORE) end_process();
    if (state.action == SIGNAL) {
        syscall(SYS_kill, getpid(), state.error);
        return NONE;
    }
    return state.action;
}

static void leave(enum action action) {
    if (action == AFTER || action == HALF) end_process();
    if (is_inside) {
        int code = errno;
        pthread_mutex_unlock(&lock);
        is_inside = 0;
        errno = code;
    }
}

/* Defines the body of a call without data. */
#define CALL(name, target, call, ...) \
    const char *found = target; \
    int was_inside = is_inside; \
    enum action action = enter(#name, found); \
    if (action == FAIL) { leave(NONE); errno = state.error; return -1; } \
    __typeof__(call) result = call; \
    if (found && !was_inside && result >= 0) { int code = errno; __VA_ARGS__; errno = code; } \
    if (!was_inside) leave(action); \
    return result

#define DESCRIPTOR char buffer[4096]
#define FD(descriptor) (is_inside ? NULL : of_descriptor(descriptor, buffer, sizeof buffer))
#define PATH(folder, path) (is_inside ? NULL : of_path(folder, path, buffer, sizeof buffer))

static size_t wanted(enum action action, size_t size) {
    return action == HALF || (action == SHORT && size > 1) ? size / 2 : size;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    DESCRIPTOR;
    struct stat details;
    int64_t at = -1;
    const char *target = FD(descriptor);
    if (target && state.journal >= 0 && strcmp(target, "socket")) {
        int flags = fcntl(descriptor, F_GETFL);
        at = flags & O_APPEND && !fstat(descriptor, &details) ? details.st_size : lseek(descriptor, 0, SEEK_CUR);
    }
    CALL(write, target, REAL(write)(descriptor, bytes, wanted(action, size)),
         record("write", found, NULL, at, bytes, (size_t)result));
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    DESCRIPTOR;
    CALL(pwrite64, FD(descriptor), REAL(pwrite64)(descriptor, bytes, wanted(action, size), offset),
         record("write", found, NULL, offset, bytes, (size_t)result));
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) { return pwrite64(descriptor, bytes, size, offset); }

/* Written as one block, so that it is recorded like `write`. */
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    DESCRIPTOR;
    const char *target = FD(descriptor);
    if (!target) return REAL(writev)(descriptor, parts, count);
    size_t size = 0;
    for (int index = 0; index < count; index++) size += parts[index].iov_len;
    char *joined = malloc(size ? size : 1);
    if (!joined) { errno = ENOMEM; return -1; }
    size_t at = 0;
    for (int index = 0; index < count; index++) {
        memcpy(joined + at, parts[index].iov_base, parts[index].iov_len);
        at += parts[index].iov_len;
    }
    ssize_t result = write(descriptor, joined, size);
    int code = errno;
    free(joined);
    errno = code;
    return result;
}

ssize_t send(int descriptor, const void *bytes, size_t size, int flags) {
    DESCRIPTOR;
    CALL(send, FD(descriptor), REAL(send)(descriptor, bytes, wanted(action, size), flags),
         record("send", found, NULL, -1, bytes, (size_t)result));
}

ssize_t sendto(int descriptor, const void *bytes, size_t size, int flags, const struct sockaddr *to, socklen_t length) {
    DESCRIPTOR;
    CALL(sendto, FD(descriptor), REAL(sendto)(descriptor, bytes, wanted(action, size), flags, to, length),
         record("send", found, NULL, -1, bytes, (size_t)result));
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
    DESCRIPTOR;
    CALL(sendmsg, FD(descriptor), REAL(sendmsg)(descriptor, message, flags), (void)found);
}

int fsync(int descriptor) {
    DESCRIPTOR;
    CALL(fsync, FD(descriptor), state.ignores_sync ? 0 : REAL(fsync)(descriptor), record("fsync", found, NULL, -1, NULL, 0));
}

int fdatasync(int descriptor) {
    DESCRIPTOR;
    CALL(fdatasync, FD(descriptor), state.ignores_sync ? 0 : REAL(fdatasync)(descriptor),
         record("fsync", found, NULL, -1, NULL, 0));
}

int ftruncate64(int descriptor, off64_t size) {
    DESCRIPTOR;
    CALL(ftruncate64, FD(descriptor), REAL(ftruncate64)(descriptor, size), record("truncate", found, NULL, size, NULL, 0));
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int posix_fallocate64(int descriptor, off64_t offset, off64_t size) {
    DESCRIPTOR;
    CALL(posix_fallocate64, FD(descriptor), REAL(posix_fallocate64)(descriptor, offset, size),
         record("allocate", found, NULL, offset + size, NULL, 0));
}

int posix_fallocate(int descriptor, off_t offset, off_t size) { return posix_fallocate64(descriptor, offset, size); }

static int opens(int folder, const char *path, int flags, mode_t mode) {
    DESCRIPTOR;
    int is_listing = flags & O_DIRECTORY;
    const char *target = is_listing ? NULL : PATH(folder, path);
    /* The mutex makes this the only creation in the folder at that moment. */
    struct stat details;
    int creates = target && flags & O_CREAT && fstatat(folder, path, &details, AT_SYMLINK_NOFOLLOW) != 0;
    int truncates = target && flags & O_TRUNC && !creates;
    CALL(open, target, (int)syscall(SYS_openat, folder, path, flags, mode),
         if (creates) record("create", found, NULL, -1, NULL, 0);
         if (truncates) record("truncate", found, NULL, 0, NULL, 0));
}

#define MODE(last) va_list list; va_start(list, last); mode_t mode = va_arg(list, mode_t); va_end(list)
int open(const char *path, int flags, ...) { MODE(flags); return opens(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags); return opens(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags); return opens(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE(flags); return opens(folder, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return opens(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int moves(const char *name, int from, const char *path, int to, const char *new_path, unsigned flags) {
    DESCRIPTOR;
    char other[4096];
    const char *target = PATH(from, path), *new_target = is_inside ? NULL : of_path(to, new_path, other, sizeof other);
    (void)name;
    CALL(rename, target, (int)syscall(SYS_renameat2, from, path, to, new_path, flags),
         record("rename", found, new_target, -1, NULL, 0));
}

int rename(const char *path, const char *other) { return moves("rename", AT_FDCWD, path, AT_FDCWD, other, 0); }
int renameat(int from, const char *path, int to, const char *other) { return moves("renameat", from, path, to, other, 0); }
int renameat2(int from, const char *path, int to, const char *other, unsigned flags) {
    return moves("renameat2", from, path, to, other, flags);
}

int linkat(int from, const char *path, int to, const char *new_path, int flags) {
    DESCRIPTOR;
    char other[4096];
    const char *target = PATH(from, path), *new_target = is_inside ? NULL : of_path(to, new_path, other, sizeof other);
    CALL(link, target, (int)syscall(SYS_linkat, from, path, to, new_path, flags), record("link", found, new_target, -1, NULL, 0));
}

int link(const char *path, const char *new_path) { return linkat(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

int unlinkat(int folder, const char *path, int flags) {
    DESCRIPTOR;
    CALL(unlink, PATH(folder, path), (int)syscall(SYS_unlinkat, folder, path, flags),
         record(flags & AT_REMOVEDIR ? "rmdir" : "unlink", found, NULL, -1, NULL, 0));
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
    DESCRIPTOR;
    CALL(mkdir, PATH(folder, path), (int)syscall(SYS_mkdirat, folder, path, mode), record("mkdir", found, NULL, -1, NULL, 0));
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* Reads change nothing. They are counted only when CALLS_ONLY names them, for faults. */
#define READS(name) (state.only[0] && strstr(state.only, "," name ",") ? FD(descriptor) : NULL)

ssize_t read(int descriptor, void *bytes, size_t size) {
    DESCRIPTOR;
    CALL(read, READS("read"), REAL(read)(descriptor, bytes, wanted(action, size)), (void)found);
}

ssize_t pread64(int descriptor, void *bytes, size_t size, off64_t offset) {
    DESCRIPTOR;
    CALL(pread64, READS("pread64"), REAL(pread64)(descriptor, bytes, wanted(action, size), offset), (void)found);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset) { return pread64(descriptor, bytes, size, offset); }
