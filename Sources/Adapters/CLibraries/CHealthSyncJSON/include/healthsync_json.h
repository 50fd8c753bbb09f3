#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A C face for simdjson, which is C++: the whole text is checked first (RFC 8259, UTF-8), then walked.

#ifdef __cplusplus
extern "C" {
#endif

/// A checked JSON text; values point into it.
typedef struct healthsync_json healthsync_json;

/// A place in a checked text; good until the text is closed.
typedef struct {
    const void *document;
    size_t index;
} healthsync_json_value;

/// Walks the elements of an array, or the members of an object.
typedef struct {
    healthsync_json_value position;
    healthsync_json_value end;
} healthsync_json_cursor;

typedef enum {
    healthsync_json_null,
    healthsync_json_bool,
    healthsync_json_integer,
    healthsync_json_number,
    healthsync_json_string,
    healthsync_json_array,
    healthsync_json_object,
} healthsync_json_kind;

/// Checks `length` bytes and finds the root; NULL where they are not one JSON value. A number that no double holds reads as
/// null, half of a surrogate pair as U+FFFD.
healthsync_json *healthsync_json_open(const uint8_t *bytes, size_t length, healthsync_json_value *root);
void healthsync_json_close(healthsync_json *text);

/// What stands there. A number is an integer only where it is written as one and fits 64 bits with sign.
healthsync_json_kind healthsync_json_kind_of(healthsync_json_value value);
bool healthsync_json_bool_of(healthsync_json_value value);
int64_t healthsync_json_integer_of(healthsync_json_value value);
double healthsync_json_number_of(healthsync_json_value value);
/// The bytes of a string, unescaped, not ended by zero.
const char *healthsync_json_string_of(healthsync_json_value value, size_t *length);

/// A cursor before the first element of an array.
healthsync_json_cursor healthsync_json_elements(healthsync_json_value array);
/// The element at the cursor, which moves on; false at the end.
bool healthsync_json_next_element(healthsync_json_cursor *cursor, healthsync_json_value *element);
/// A cursor before the first member of an object.
healthsync_json_cursor healthsync_json_members(healthsync_json_value object);
/// Name and value of the member at the cursor, which moves on; false at the end.
bool healthsync_json_next_member(
    healthsync_json_cursor *cursor, const char **name, size_t *length, healthsync_json_value *value);

#ifdef __cplusplus
}
#endif
