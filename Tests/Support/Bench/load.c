/* Sends step samples to a receiving server as fast as it accepts them: one thread per connection, which is persistent if
   the server allows it; all bodies are prepared before the measurement. Prints the samples per second.

   cc -O2 -pthread load.c -o load && ./load PORT CONNECTIONS REQUESTS SAMPLES_A_REQUEST [TOKEN…]

   REQUESTS is the number per connection. The requests of a connection use the tokens in turn. Every sample has a unique id,
   and those of a token follow each other by a minute, after those of the connection before. With the variable SEED the same
   samples are sent whenever it has the same value. Writes `sending` to standard error when it begins. Exits with 1 after a
   response other than 200. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_ROOM = 256, HEAD_ROOM = 400, ANSWER_ROOM = 1 << 20 };

struct connection {
    pthread_t thread;
    char *requests;
    size_t *ends;
    int failed;
};

static int port, request_count, sample_count;
static char **tokens;
static int token_count;
static pthread_barrier_t prepared;

static uint64_t random_bits(uint64_t *state) { /* splitmix64 */
    uint64_t bits = *state += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
}

static size_t prepare(char *room, uint64_t *state, int64_t minute, const char *token) {
    static const char form[] =
        "{\"uuid\":\"%08X-%04X-4%03X-A%03X-%012llX\",\"startDate\":\"%s\",\"endDate\":\"%s\",\"count\":%d,"
        "\"sourceBundleId\":\"com.apple.health\",\"sourceDeviceName\":\"iPhone 15\"}";
    char *body = room + HEAD_ROOM, *at = body, start[32], end[32];
    at += sprintf(at, "{\"samples\":[");
    for (int index = 0; index < sample_count; index++) {
        const time_t first = 1420070400 + 60 * minute++, last = first + 60;
        struct tm parts;
        strftime(start, sizeof start, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&first, &parts));
        strftime(end, sizeof end, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&last, &parts));
        const uint64_t a = random_bits(state), b = random_bits(state);
        if (index) *at++ = ',';
        at += sprintf(at, form, (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xFFFF), (unsigned)(a & 0xFFF),
            (unsigned)(b >> 48 & 0xFFF), (unsigned long long)(b & 0xFFFFFFFFFFFF), start, end, (int)(a % 150));
    }
    at += sprintf(at, "]}");
    char head[HEAD_ROOM], authorization[200] = "";
    if (token) snprintf(authorization, sizeof authorization, "Authorization: Bearer %s\r\n", token);
    const int length = snprintf(head, sizeof head,
        "POST /steps HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n", port,
        authorization, (size_t)(at - body));
    memcpy(room, head, length);
    memmove(room + length, body, at - body);
    return length + (at - body);
}

static int connected(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/* Reads one response and returns whether it is a 200. Sets *closes if the server closes the connection after it. */
static int answered(int descriptor, int *closes) {
    char answer[ANSWER_ROOM];
    size_t filled = 0;
    for (;;) {
        const ssize_t count = recv(descriptor, answer + filled, sizeof answer - 1 - filled, 0);
        if (count <= 0) return 0;
        filled += count;
        answer[filled] = 0;
        const char *end = strstr(answer, "\r\n\r\n");
        if (!end) continue;
        const char *length = strcasestr(answer, "\r\nContent-Length:");
        if (!length || length > end) return 0;
        if (answer + filled < end + 4 + atol(length + 17)) continue;
        *closes = !strncmp(answer, "HTTP/1.0", 8) || strcasestr(answer, "\r\nConnection: close") != NULL;
        return !strncmp(answer + 8, " 200", 4);
    }
}

static int exchanged(int *descriptor, const char *request, size_t length) {
    if (*descriptor < 0) *descriptor = connected();
    if (*descriptor < 0) return 0;
    for (size_t sent = 0; sent < length;) {
        const ssize_t count = send(*descriptor, request + sent, length - sent, MSG_NOSIGNAL);
        if (count <= 0) return 0;
        sent += count;
    }
    int closes = 0;
    const int good = answered(*descriptor, &closes);
    if (closes) {
        close(*descriptor);
        *descriptor = -1;
    }
    return good;
}

static void *run(void *argument) {
    struct connection *connection = argument;
    pthread_barrier_wait(&prepared);
    int descriptor = -1;
    size_t begin = 0;
    for (int index = 0; index < request_count && !connection->failed; index++) {
        connection->failed = !exchanged(&descriptor, connection->requests + begin, connection->ends[index] - begin);
        begin = connection->ends[index];
    }
    if (descriptor >= 0) close(descriptor);
    return NULL;
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc < 5) return 64;
    tokens = argv + 5;
    token_count = argc - 5;
    port = atoi(argv[1]);
    const int count = atoi(argv[2]);
    request_count = atoi(argv[3]);
    sample_count = atoi(argv[4]);
    struct connection *connections = calloc(count, sizeof *connections);
    struct timespec seed;
    clock_gettime(CLOCK_REALTIME, &seed);
    const char *stated = getenv("SEED");
    uint64_t state = stated ? strtoull(stated, NULL, 10) : seed.tv_sec * 1000000007ull + seed.tv_nsec;
    pthread_barrier_init(&prepared, NULL, count + 1);
    for (int index = 0; index < count; index++) {
        struct connection *connection = connections + index;
        connection->requests = malloc((size_t)request_count * (HEAD_ROOM + 64 + (size_t)sample_count * SAMPLE_ROOM));
        connection->ends = calloc(request_count, sizeof *connection->ends);
        size_t filled = 0;
        /* With tokens in turn, each connection begins with another one. */
        const int64_t first = (int64_t)index * request_count * sample_count / (token_count ? token_count : 1);
        for (int request = 0; request < request_count; request++) {
            const int64_t minute = first + (int64_t)(token_count ? request / token_count : request) * sample_count;
            const char *token = token_count ? tokens[(request + index * token_count / count) % token_count] : NULL;
            filled += prepare(connection->requests + filled, &state, minute, token);
            connection->ends[request] = filled;
        }
        pthread_create(&connection->thread, NULL, run, connection);
    }
    const double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    pthread_barrier_wait(&prepared);
    const double begin = now(CLOCK_MONOTONIC);
    /* For a process that acts during the load: everything is prepared. */
    fputs("sending\n", stderr);
    int failed = 0;
    for (int index = 0; index < count; index++) {
        pthread_join(connections[index].thread, NULL);
        failed |= connections[index].failed;
    }
    const double wall = now(CLOCK_MONOTONIC) - begin;
    const double samples = (double)count * request_count * sample_count;
    printf("%.0f samples/s, %.3f s, client %.3f s of CPU\n", samples / wall, wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return failed;
}
