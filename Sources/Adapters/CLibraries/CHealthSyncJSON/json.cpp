#include "healthsync_json.h"

#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>
#include <type_traits>

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

struct healthsync_json {
    simdjson::dom::parser parser;
};

namespace {

// A parser's memory is several times its text; a thread that reads one text after the other keeps it, up to this much text.
constexpr size_t longest_kept = 1 << 20;
thread_local std::unique_ptr<healthsync_json> kept;

// Elements and iterators of simdjson are a pointer to the text and an index; they cross the border as such.
template <typename Inside>
healthsync_json_value outside(const Inside &inside) {
    static_assert(sizeof(Inside) == sizeof(healthsync_json_value), "simdjson changed its layout");
    static_assert(std::is_trivially_copyable<Inside>::value, "simdjson changed its layout");
    healthsync_json_value value;
    std::memcpy(&value, &inside, sizeof value);
    return value;
}

template <typename Inside>
Inside inside(const healthsync_json_value &value) {
    static_assert(sizeof(Inside) == sizeof value, "simdjson changed its layout");
    Inside result;
    std::memcpy(static_cast<void *>(&result), &value, sizeof value);
    return result;
}

// From an iterator that was advanced back into the cursor.
template <typename Iterator>
void store(healthsync_json_value &position, const Iterator &iterator) {
    std::memcpy(&position, &iterator, sizeof position);
}

}  // namespace

healthsync_json *healthsync_json_open(const uint8_t *bytes, size_t length, healthsync_json_value *root) {
    healthsync_json *text = kept ? kept.release() : new (std::nothrow) healthsync_json();
    if (text == nullptr) return nullptr;
    element found;
    if (text->parser.parse(bytes, length, true).get(found) != simdjson::SUCCESS) {
        healthsync_json_close(text);
        return nullptr;
    }
    *root = outside(found);
    return text;
}

void healthsync_json_close(healthsync_json *text) {
    if (!kept && text->parser.capacity() <= longest_kept) kept.reset(text);
    else delete text;
}

healthsync_json_kind healthsync_json_kind_of(healthsync_json_value value) {
    switch (inside<element>(value).type()) {
        case element_type::BOOL: return healthsync_json_bool;
        case element_type::INT64: return healthsync_json_integer;
        case element_type::UINT64: return healthsync_json_number;
        case element_type::DOUBLE: return healthsync_json_number;
        case element_type::STRING: return healthsync_json_string;
        case element_type::ARRAY: return healthsync_json_array;
        case element_type::OBJECT: return healthsync_json_object;
        default: return healthsync_json_null;
    }
}

bool healthsync_json_bool_of(healthsync_json_value value) {
    bool found = false;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) return false;
    return found;
}

int64_t healthsync_json_integer_of(healthsync_json_value value) {
    int64_t found = 0;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) return 0;
    return found;
}

double healthsync_json_number_of(healthsync_json_value value) {
    double found = 0;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) return 0;
    return found;
}

const char *healthsync_json_string_of(healthsync_json_value value, size_t *length) {
    std::string_view found;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) found = "";
    *length = found.size();
    return found.data();
}

healthsync_json_cursor healthsync_json_elements(healthsync_json_value value) {
    array found;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) return {value, value};
    return {outside(found.begin()), outside(found.end())};
}

bool healthsync_json_next_element(healthsync_json_cursor *cursor, healthsync_json_value *result) {
    if (cursor->position.index == cursor->end.index) return false;
    array::iterator iterator = inside<array::iterator>(cursor->position);
    *result = outside(*iterator);
    ++iterator;
    store(cursor->position, iterator);
    return true;
}

healthsync_json_cursor healthsync_json_members(healthsync_json_value value) {
    object found;
    if (inside<element>(value).get(found) != simdjson::SUCCESS) return {value, value};
    return {outside(found.begin()), outside(found.end())};
}

bool healthsync_json_next_member(
    healthsync_json_cursor *cursor, const char **name, size_t *length, healthsync_json_value *result) {
    if (cursor->position.index == cursor->end.index) return false;
    object::iterator iterator = inside<object::iterator>(cursor->position);
    *name = iterator.key_c_str();
    *length = iterator.key_length();
    *result = outside(iterator.value());
    ++iterator;
    store(cursor->position, iterator);
    return true;
}
