#include "healthsync_json.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <simdjson.h>
#include <string>
#include <type_traits>

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

struct healthsync_json {
    simdjson::dom::parser parser;
};

namespace {

// A parser's memory is several times the size of its text. Each thread keeps its parser for the next text, up to this
// text size.
constexpr size_t longest_kept = 1 << 20;
thread_local std::unique_ptr<healthsync_json> kept;

// Elements and iterators of simdjson are a pointer to the text and an index, and cross the C boundary as such.
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

// Returns the value of four hexadecimal digits after "\u" at `at`; 0 if none exist.
unsigned escaped_unit(const std::string &text, size_t at) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return 0;
    const std::string digits = text.substr(at + 2, 4);
    char *end = nullptr;
    const unsigned long unit = std::strtoul(digits.c_str(), &end, 16);
    return end == digits.c_str() + 4 ? static_cast<unsigned>(unit) : 0;
}

// Copies the escape at `at` and returns its end; an unpaired surrogate becomes U+FFFD.
size_t tame_escape(const std::string &text, size_t at, std::string &tamed) {
    const unsigned unit = escaped_unit(text, at);
    size_t length = unit ? 6 : 2;
    if (unit >= 0xD800 && unit < 0xDC00) {
        const unsigned second = escaped_unit(text, at + 6);
        if (second >= 0xDC00 && second < 0xE000) length = 12;
    }
    if (length == 6 && unit >= 0xD800 && unit < 0xE000) tamed += "\\ufffd";
    else tamed.append(text, at, length);
    return at + length;
}

// Copies the number at `at` and returns its end. An integer beyond 64 bits is written such that it reads as the nearest
// double; a number that no double can represent becomes null, which is not accepted as a number.
size_t tame_number(const std::string &text, size_t at, std::string &tamed) {
    const size_t end = std::min(text.find_first_not_of("+-.0123456789Ee", at), text.size());
    const std::string number = text.substr(at, end - at);
    errno = 0;
    if (!std::isfinite(std::strtod(number.c_str(), nullptr))) {
        tamed += "null";
        return end;
    }
    tamed += number;
    errno = 0;
    std::strtoll(number.c_str(), nullptr, 10);
    if (errno == ERANGE && number.find_first_of(".Ee") == std::string::npos) tamed += "e0";
    return end;
}

// Returns the text without what JSON allows and simdjson rejects: numbers out of its range and unpaired surrogates.
std::string tamed(const std::string &text) {
    std::string tamed;
    tamed.reserve(text.size() + 64);
    bool in_string = false;
    for (size_t at = 0; at < text.size();) {
        const char byte = text[at];
        if (in_string && byte == '\\') {
            at = tame_escape(text, at, tamed);
        } else if (!in_string && (byte == '-' || (byte >= '0' && byte <= '9'))) {
            at = tame_number(text, at, tamed);
        } else {
            if (byte == '"') in_string = !in_string;
            tamed += byte;
            at++;
        }
    }
    return tamed;
}

simdjson::error_code parse(simdjson::dom::parser &parser, const uint8_t *bytes, size_t length, element &root) {
    const simdjson::error_code code = parser.parse(bytes, length, true).get(root);
    if (code != simdjson::NUMBER_ERROR && code != simdjson::STRING_ERROR) return code;
    const std::string text = tamed(std::string(reinterpret_cast<const char *>(bytes), length));
    return parser.parse(text).get(root);
}

// Stores an advanced iterator in the cursor.
template <typename Iterator>
void store(healthsync_json_value &position, const Iterator &iterator) {
    std::memcpy(&position, &iterator, sizeof position);
}

}  // namespace

healthsync_json *healthsync_json_open(const uint8_t *bytes, size_t length, healthsync_json_value *root) {
    healthsync_json *text = kept ? kept.release() : new (std::nothrow) healthsync_json();
    if (text == nullptr) return nullptr;
    element found;
    if (parse(text->parser, bytes, length, found) != simdjson::SUCCESS) {
        healthsync_json_close(text);
        return nullptr;
    }
    *root = outside(found);
    return text;
}

bool healthsync_json_exceeds(const uint8_t *bytes, size_t length, size_t limit) {
    // A value follows a comma or an opening bracket, or is the root.
    size_t values = 1;
    bool in_string = false;
    for (size_t at = 0; at < length; at++) {
        switch (bytes[at]) {
            case '"': in_string = !in_string; break;
            case '\\': at += in_string ? 1 : 0; break;
            case ',': case '[': case '{': values += in_string ? 0 : 1; break;
            default: break;
        }
    }
    return values > limit;
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
