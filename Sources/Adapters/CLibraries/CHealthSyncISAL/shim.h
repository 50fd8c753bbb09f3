#pragma once
#include <isa-l.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// `struct inflate_state` contains arrays too large for imported tuples, so it is passed as an opaque pointer.

static inline void *_Nullable healthsync_inflate_create(void) {
    struct inflate_state *state = (struct inflate_state *)malloc(sizeof(struct inflate_state));
    if (state != NULL) isal_inflate_init(state);
    return state;
}

static inline void healthsync_inflate_destroy(void *_Nullable state) { free(state); }

// Runs one step of raw deflate. The counts are the available bytes on entry and the used bytes on return.
static inline int healthsync_inflate_step(void *_Nonnull opaque, const uint8_t *_Nonnull input, uint32_t *_Nonnull input_count,
                                          uint8_t *_Nonnull output, uint32_t *_Nonnull output_count) {
    struct inflate_state *state = (struct inflate_state *)opaque;
    state->next_in = (uint8_t *)input;
    state->avail_in = *input_count;
    state->next_out = output;
    state->avail_out = *output_count;
    int result = isal_inflate(state);
    *input_count -= state->avail_in;
    *output_count -= state->avail_out;
    return result;
}

static inline int healthsync_inflate_is_finished(void *_Nonnull opaque) {
    return ((struct inflate_state *)opaque)->block_state == ISAL_BLOCK_FINISH;
}
