#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#else
#include <sys/event.h>
#endif

// Sockets.

/// Writes the numeric form of an address to `text`, an IPv4-mapped IPv6 address as IPv4; returns 0 on failure.
static inline int healthsync_address_text(const struct sockaddr *address, char *text, size_t room) {
    if (address->sa_family == AF_INET)
        return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, (socklen_t)room) != NULL;
    if (address->sa_family != AF_INET6) return 0;
    const struct in6_addr *inside = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(inside)) return inet_ntop(AF_INET, &inside->s6_addr[12], text, (socklen_t)room) != NULL;
    return inet_ntop(AF_INET6, inside, text, (socklen_t)room) != NULL;
}

static inline void healthsync_make_nonblocking(int descriptor) {
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// Opens a listening TCP socket on `host` and `port` (0 for any free port) and writes back the port; returns the
/// negative errno, or -10000 minus the resolver's code, on failure.
static inline int healthsync_listen(const char *host, uint16_t *port) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code != 0) return -10000 - (code < 0 ? -code : code);
    int descriptor = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    int yes = 1;
    if (descriptor >= 0) {
        if (found->ai_family == AF_INET6) ((struct sockaddr_in6 *)found->ai_addr)->sin6_port = htons(*port);
        else ((struct sockaddr_in *)found->ai_addr)->sin_port = htons(*port);
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        healthsync_make_nonblocking(descriptor);
        struct sockaddr_storage bound;
        socklen_t length = sizeof bound;
        if (bind(descriptor, found->ai_addr, found->ai_addrlen) != 0 || listen(descriptor, 512) != 0
            || getsockname(descriptor, (struct sockaddr *)&bound, &length) != 0) {
            int failure = errno;
            close(descriptor);
            errno = failure;
            descriptor = -1;
        } else {
            *port = ntohs(
                bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port
                                            : ((struct sockaddr_in *)&bound)->sin_port);
        }
    }
    int failure = errno;
    freeaddrinfo(found);
    return descriptor >= 0 ? descriptor : -failure;
}

/// Prepares a listening TCP socket that another program opened, and writes its numeric address and its port; returns a
/// negative errno if it is not such a socket.
static inline int healthsync_adopt(int descriptor, char *text, size_t room, uint16_t *port) {
    int listens = 0, yes = 1;
    struct sockaddr_storage bound;
    socklen_t size = sizeof listens, length = sizeof bound;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) return -errno;
    if (!listens) return -EINVAL;
    if (getsockname(descriptor, (struct sockaddr *)&bound, &length) != 0) return -errno;
    if (!healthsync_address_text((struct sockaddr *)&bound, text, room)) return -EAFNOSUPPORT;
    *port = ntohs(
        bound.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&bound)->sin6_port : ((struct sockaddr_in *)&bound)->sin_port);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    healthsync_make_nonblocking(descriptor);
    return 0;
}

#if defined(__linux__)
// Declared here because <sys/socket.h> declares accept4 only with _GNU_SOURCE.
int healthsync_accept4(int, struct sockaddr *, socklen_t *, int) __asm__("accept4");
#endif

/// Accepts a connection and writes the client's numeric address to `text`; returns the negative errno on failure.
static inline int healthsync_accept(int listening, char *text, size_t room) {
    struct sockaddr_storage client;
    socklen_t length = sizeof client;
#if defined(__linux__)
    // The connection inherits TCP_NODELAY.
    int descriptor = healthsync_accept4(listening, (struct sockaddr *)&client, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return -errno;
#else
    int descriptor = accept(listening, (struct sockaddr *)&client, &length);
    if (descriptor < 0) return -errno;
    int yes = 1;
    healthsync_make_nonblocking(descriptor);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
#endif
    if (!healthsync_address_text((struct sockaddr *)&client, text, room)) text[0] = 0;
    return descriptor;
}

/// Allows the process to open `count` files if the system permits it; returns how many it may open.
static inline uint64_t healthsync_allow_files(uint64_t count) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    if (limit.rlim_cur >= count) return limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur;
}

/// Returns how many files the process may still open, at most: the system gives out the lowest free descriptor, and those
/// above it may be in use. `open` is any open descriptor.
static inline uint64_t healthsync_free_files(int open) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    int lowest = fcntl(open, F_DUPFD_CLOEXEC, 0);
    if (lowest < 0) return 0;
    close(lowest);
    return limit.rlim_cur > (rlim_t)lowest ? limit.rlim_cur - (rlim_t)lowest : 0;
}

// Readiness. A poller reports which sockets can be read or written, identified by numbers that the caller chooses.

struct healthsync_event {
    uint64_t key;
    bool readable;
    bool writable;
};

#if defined(__linux__)
static inline int healthsync_poller_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Starts or changes the observation of a socket.
static inline int healthsync_poller_set(int poller, int descriptor, uint64_t key, bool reads, bool writes, bool is_new) {
    struct epoll_event event = {.events = (reads ? EPOLLIN : 0) | (writes ? EPOLLOUT : 0), .data.u64 = key};
    return epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event);
}

static inline void healthsync_poller_remove(int poller, int descriptor) {
    epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL);
}

/// Waits for at most 64 events; returns their number. A socket that failed is both readable and writable.
static inline int healthsync_poller_wait(int poller, struct healthsync_event *events, int milliseconds) {
    struct epoll_event found[64];
    int count = epoll_wait(poller, found, 64, milliseconds);
    for (int index = 0; index < count; index++) {
        bool failed = (found[index].events & (EPOLLERR | EPOLLHUP)) != 0;
        events[index].key = found[index].data.u64;
        events[index].readable = failed || (found[index].events & EPOLLIN) != 0;
        events[index].writable = failed || (found[index].events & EPOLLOUT) != 0;
    }
    return count < 0 ? 0 : count;
}

/// Opens a descriptor that is reported once for each call of `healthsync_wake`. It is never read: each call is a new
/// edge.
static inline int healthsync_waker_create(int poller, uint64_t key) {
    int waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = key};
    if (waker >= 0) epoll_ctl(poller, EPOLL_CTL_ADD, waker, &event);
    return waker;
}

static inline void healthsync_wake(int poller, int waker) { eventfd_write(waker, 1); }
#else
static inline int healthsync_poller_create(void) { return kqueue(); }

static inline int healthsync_poller_set(int poller, int descriptor, uint64_t key, bool reads, bool writes, bool is_new) {
    struct kevent changes[2];
    EV_SET(&changes[0], descriptor, EVFILT_READ, EV_ADD | (reads ? EV_ENABLE : EV_DISABLE), 0, 0, (void *)(uintptr_t)key);
    EV_SET(&changes[1], descriptor, EVFILT_WRITE, EV_ADD | (writes ? EV_ENABLE : EV_DISABLE), 0, 0, (void *)(uintptr_t)key);
    return kevent(poller, changes, 2, NULL, 0, NULL);
}

static inline void healthsync_poller_remove(int poller, int descriptor) {
    struct kevent changes[2];
    EV_SET(&changes[0], descriptor, EVFILT_READ, EV_DELETE, 0, 0, NULL);
    EV_SET(&changes[1], descriptor, EVFILT_WRITE, EV_DELETE, 0, 0, NULL);
    kevent(poller, changes, 2, NULL, 0, NULL);
}

static inline int healthsync_poller_wait(int poller, struct healthsync_event *events, int milliseconds) {
    struct kevent found[64];
    struct timespec limit = {.tv_sec = milliseconds / 1000, .tv_nsec = (milliseconds % 1000) * 1000000L};
    int count = kevent(poller, NULL, 0, found, 64, milliseconds < 0 ? NULL : &limit);
    for (int index = 0; index < count; index++) {
        events[index].key = (uint64_t)(uintptr_t)found[index].udata;
        events[index].readable = found[index].filter != EVFILT_WRITE;
        events[index].writable = found[index].filter == EVFILT_WRITE;
    }
    return count < 0 ? 0 : count;
}

static inline int healthsync_waker_create(int poller, uint64_t key) {
    struct kevent change;
    EV_SET(&change, 1, EVFILT_USER, EV_ADD | EV_CLEAR, 0, 0, (void *)(uintptr_t)key);
    return kevent(poller, &change, 1, NULL, 0, NULL);
}

static inline void healthsync_wake(int poller, int waker) {
    struct kevent change;
    (void)waker;
    EV_SET(&change, 1, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    kevent(poller, &change, 1, NULL, 0, NULL);
}
#endif

// TLS. Contexts and sessions are passed as numbers, 0 for none.

/// Never asks for the passphrase of an encrypted key.
static inline int healthsync_no_passphrase(char *text, int room, int writes, void *context) {
    (void)text, (void)room, (void)writes, (void)context;
    return -1;
}

static inline bool healthsync_tls_use(SSL_CTX *context, const char *certificate, const char *key) {
    BIO *chain = BIO_new_mem_buf(certificate, -1);
    X509 *leaf = PEM_read_bio_X509_AUX(chain, NULL, healthsync_no_passphrase, NULL);
    bool usable = leaf != NULL && SSL_CTX_use_certificate(context, leaf) == 1;
    X509_free(leaf);
    X509 *next;
    while (usable && (next = PEM_read_bio_X509(chain, NULL, healthsync_no_passphrase, NULL)) != NULL)
        usable = SSL_CTX_add0_chain_cert(context, next) == 1;
    BIO_free(chain);
    BIO *secret = BIO_new_mem_buf(key, -1);
    EVP_PKEY *private_key = PEM_read_bio_PrivateKey(secret, NULL, healthsync_no_passphrase, NULL);
    usable = usable && private_key != NULL && SSL_CTX_use_PrivateKey(context, private_key) == 1
        && SSL_CTX_check_private_key(context) == 1;
    EVP_PKEY_free(private_key);
    BIO_free(secret);
    ERR_clear_error();
    return usable;
}

/// Creates the context of a server with a certificate chain and its private key in PEM; 0 if they are invalid.
static inline uintptr_t healthsync_tls_context(const char *certificate, const char *key) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) return 0;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (healthsync_tls_use(context, certificate, key)) return (uintptr_t)context;
    SSL_CTX_free(context);
    return 0;
}

static inline void healthsync_tls_context_free(uintptr_t context) { SSL_CTX_free((SSL_CTX *)context); }

/// Creates the session of an accepted connection; 0 without memory.
static inline uintptr_t healthsync_tls_accept(uintptr_t context, int descriptor) {
    SSL *session = SSL_new((SSL_CTX *)context);
    if (session == NULL) return 0;
    SSL_set_fd(session, descriptor);
    SSL_set_accept_state(session);
    return (uintptr_t)session;
}

static inline void healthsync_tls_free(uintptr_t session) { SSL_free((SSL *)session); }

enum {
    /// The socket must become readable first.
    healthsync_wants_read = -1,
    /// The socket must become writable first.
    healthsync_wants_write = -2,
    /// The connection failed.
    healthsync_failed = -3,
};

static inline long healthsync_tls_outcome(SSL *session, int code) {
    switch (SSL_get_error(session, code)) {
        case SSL_ERROR_WANT_READ: return healthsync_wants_read;
        case SSL_ERROR_WANT_WRITE: return healthsync_wants_write;
        case SSL_ERROR_ZERO_RETURN: return 0;
        default: return healthsync_failed;
    }
}

/// Reads from a TLS session. Returns the number of bytes, 0 at the end, or a negative code.
static inline long healthsync_tls_read(uintptr_t session, void *buffer, size_t room) {
    ERR_clear_error();
    int count = SSL_read((SSL *)session, buffer, room > 1 << 20 ? 1 << 20 : (int)room);
    return count > 0 ? count : healthsync_tls_outcome((SSL *)session, count);
}

/// Writes to a TLS session. Returns the number of bytes, or a negative code. The process must ignore SIGPIPE.
static inline long healthsync_tls_write(uintptr_t session, const void *bytes, size_t count) {
    if (count == 0) return 0;
    ERR_clear_error();
    int written = SSL_write((SSL *)session, bytes, count > 1 << 20 ? 1 << 20 : (int)count);
    if (written > 0) return written;
    long outcome = healthsync_tls_outcome((SSL *)session, written);
    return outcome == 0 ? healthsync_failed : outcome;
}

/// Sends the end of the data of a TLS session, unless its handshake is incomplete.
static inline void healthsync_tls_finish_writing(uintptr_t session) {
    if (!SSL_is_init_finished((SSL *)session)) return;
    ERR_clear_error();
    SSL_shutdown((SSL *)session);
}

/// Returns whether TLS holds decrypted bytes that the poller does not report.
static inline bool healthsync_tls_has_pending(uintptr_t session) { return SSL_has_pending((SSL *)session); }

// Plain sockets.

/// Reads from a socket. Returns the number of bytes, 0 at the end, or a negative code.
static inline long healthsync_read(int descriptor, void *buffer, size_t room) {
    ssize_t count = recv(descriptor, buffer, room, 0);
    if (count >= 0) return count;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? healthsync_wants_read : healthsync_failed;
}

/// Writes to a socket. Returns the number of bytes, or a negative code. The process must ignore SIGPIPE.
static inline long healthsync_write(int descriptor, const void *bytes, size_t count) {
    if (count == 0) return 0;
#if defined(MSG_NOSIGNAL)
    ssize_t written = send(descriptor, bytes, count, MSG_NOSIGNAL);
#else
    ssize_t written = send(descriptor, bytes, count, 0);
#endif
    if (written >= 0) return written;
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? healthsync_wants_write : healthsync_failed;
}
