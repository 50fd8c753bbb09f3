#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A C interface to simdjson, which is C++: the whole text is validated first (RFC 8259, UTF-8), then traversed.

#ifdef __cplusplus
extern "C" {
#endif

/// A validated JSON text; values point into it.
typedef struct healthsync_json healthsync_json;

/// A value in a validated text; valid until the text is closed.
typedef struct {
    const void *document;
    size_t index;
} healthsync_json_value;

/// An iterator over the elements of an array or the members of an object.
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

/// Validates `length` bytes and finds the root; returns NULL if they are not one JSON value. A number that no double
/// can represent reads as null, an unpaired surrogate as U+FFFD.
healthsync_json *healthsync_json_open(const uint8_t *bytes, size_t length, healthsync_json_value *root);
/// Returns whether a text has more than `limit` values. Needs no memory, unlike opening it.
bool healthsync_json_exceeds(const uint8_t *bytes, size_t length, size_t limit);
void healthsync_json_close(healthsync_json *text);

/// Returns the kind of a value. A number is an integer only if it is written as one and fits into a signed 64-bit
/// integer.
healthsync_json_kind healthsync_json_kind_of(healthsync_json_value value);
bool healthsync_json_bool_of(healthsync_json_value value);
int64_t healthsync_json_integer_of(healthsync_json_value value);
double healthsync_json_number_of(healthsync_json_value value);
/// Returns the bytes of a string, unescaped, without a terminating zero.
const char *healthsync_json_string_of(healthsync_json_value value, size_t *length);

/// Returns a cursor before the first element of an array.
healthsync_json_cursor healthsync_json_elements(healthsync_json_value array);
/// Reads the element at the cursor and advances; returns false at the end.
bool healthsync_json_next_element(healthsync_json_cursor *cursor, healthsync_json_value *element);
/// Returns a cursor before the first member of an object.
healthsync_json_cursor healthsync_json_members(healthsync_json_value object);
/// Reads the name and value of the member at the cursor and advances; returns false at the end.
bool healthsync_json_next_member(
    healthsync_json_cursor *cursor, const char **name, size_t *length, healthsync_json_value *value);

#ifdef __cplusplus
}
#endif
