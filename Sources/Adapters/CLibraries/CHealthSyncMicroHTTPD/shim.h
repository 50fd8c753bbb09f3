#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The settings of a daemon; MHD_start_daemon takes them as variable arguments, which Swift cannot pass.
struct healthsync_daemon_settings {
    int listen_socket;
    unsigned int connection_limit;
    unsigned int idle_timeout_seconds;
    size_t header_memory;
    /// PEM texts, both or neither.
    const char *certificate;
    const char *private_key;
    MHD_AcceptPolicyCallback accept;
    MHD_NotifyConnectionCallback connection_changed;
    void *(*target_read)(void *context, const char *target, struct MHD_Connection *connection);
    MHD_AccessHandlerCallback handle;
    MHD_RequestCompletedCallback completed;
    void *context;
};

/// Starts a daemon with its own polling thread; returns NULL on failure.
static inline struct MHD_Daemon *healthsync_daemon_start(const struct healthsync_daemon_settings *settings) {
    unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->private_key},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)"NORMAL:-VERS-TLS1.0:-VERS-TLS1.1"},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    if (settings->certificate != NULL) flags |= MHD_USE_TLS;
    return MHD_start_daemon(
        flags, 0, settings->accept, settings->context, settings->handle, settings->context,
        MHD_OPTION_LISTEN_SOCKET, settings->listen_socket,
        MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->header_memory,
        MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
        MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
        MHD_OPTION_URI_LOG_CALLBACK, settings->target_read, settings->context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_ARRAY, settings->certificate != NULL ? tls : plain,
        MHD_OPTION_END);
}

/// Returns the connection's socket; -1 if it is unknown.
static inline int healthsync_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// Writes the numeric form of an address to `text`, an IPv4-mapped IPv6 address as IPv4; returns 0 on failure.
static inline int healthsync_address_text(const struct sockaddr *address, char *text, size_t room) {
    if (address == NULL) return 0;
    if (address->sa_family == AF_INET)
        return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, (socklen_t)room) != NULL;
    if (address->sa_family != AF_INET6) return 0;
    const struct in6_addr *inside = &((const struct sockaddr_in6 *)address)->sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(inside)) return inet_ntop(AF_INET, &inside->s6_addr[12], text, (socklen_t)room) != NULL;
    return inet_ntop(AF_INET6, inside, text, (socklen_t)room) != NULL;
}

/// Writes the numeric form of the client's address to `text`; returns 0 if it is unknown.
static inline int healthsync_connection_address(struct MHD_Connection *connection, char *text, size_t room) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? 0 : healthsync_address_text(info->client_addr, text, room);
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
