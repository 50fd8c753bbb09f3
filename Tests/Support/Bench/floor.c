/* The lower limit of the time to scan an export, on one thread: memory-mapped, memchr from tag to tag, every attribute of
   every Record found by memchr from `=` to quote, both dates of every Record converted to instants (the day is cached).
   It decodes nothing else, validates nothing and stores nothing.

   cc -O2 floor.c -o floor && ./floor export.xml */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static int number(const char *at, int digits) {
    int value = 0;
    while (digits--) value = value * 10 + (*at++ - '0');
    return value;
}

static int64_t days_from_civil(int year, int month, int day) {
    year -= month <= 2;
    const int64_t era = (year >= 0 ? year : year - 399) / 400;
    const int yoe = year - era * 400, doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static int64_t instant(const char *at) { /* yyyy-MM-dd HH:mm:ss +HHMM */
    static int64_t known_day;
    static char known[10];
    if (memcmp(at, known, 10)) {
        memcpy(known, at, 10);
        known_day = days_from_civil(number(at, 4), number(at + 5, 2), number(at + 8, 2));
    }
    const int offset = number(at + 21, 2) * 60 + number(at + 23, 2);
    return known_day * 86400 + number(at + 11, 2) * 3600 + number(at + 14, 2) * 60 + number(at + 17, 2)
        - (at[20] == '-' ? -offset : offset) * 60;
}

int main(int argc, char **argv) {
    if (argc != 2) return 64;
    const int file = open(argv[1], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) return 66;
    const char *at = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, file, 0), *end = at + status.st_size;
    if (at == MAP_FAILED) return 66;
    madvise((void *)at, status.st_size, MADV_SEQUENTIAL);
    int64_t records = 0, attributes = 0, dates = 0, instants = 0;
    while ((at = memchr(at, '<', end - at))) {
        if (end - at < 8 || memcmp(at, "<Record ", 8)) {
            at++;
            continue;
        }
        at += 8;
        records++;
        for (;;) { /* name="value" name="value" ... > */
            const char *name = at, *equals = memchr(at, '=', end - at);
            if (!equals) return 65;
            const char *value = equals + 2, *quote = memchr(value, '"', end - value);
            if (!quote) return 65;
            attributes++;
            if (quote - value == 25 && (equals - name == 9 || equals - name == 7)) { /* startDate, endDate */
                instants ^= instant(value);
                dates++;
            }
            at = quote + 1;
            if (*at != ' ') break;
            at++;
        }
    }
    printf("%lld records, %lld attributes, %lld dates, %llx\n", (long long)records, (long long)attributes,
        (long long)dates, (long long)instants);
    return 0;
}
