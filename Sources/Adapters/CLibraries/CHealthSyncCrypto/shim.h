#pragma once

// The block functions below are deprecated in favor of EVP, which looks up the algorithm by name and allocates memory
// for every message: several times the cost of hashing the roughly 200 bytes of a sample's identity.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

/// Writes the 20 bytes of the SHA-1 of `length` bytes.
static inline void healthsync_sha1(const void *bytes, size_t length, unsigned char *digest) {
    SHA_CTX state;
    SHA1_Init(&state);
    SHA1_Update(&state, bytes, length);
    SHA1_Final(digest, &state);
}

/// Writes the 32 bytes of the SHA-256 of `length` bytes.
static inline void healthsync_sha256(const void *bytes, size_t length, unsigned char *digest) {
    SHA256_CTX state;
    SHA256_Init(&state);
    SHA256_Update(&state, bytes, length);
    SHA256_Final(digest, &state);
}

// The state of an HMAC, as an opaque pointer.

/// Begins an HMAC-SHA256; returns NULL without memory.
static inline void *_Nullable healthsync_hmac_create(const void *_Nullable key, int length) {
    HMAC_CTX *state = HMAC_CTX_new();
    // A null key would mean "the key of before".
    if (state != NULL && HMAC_Init_ex(state, key != NULL ? key : "", length, EVP_sha256(), NULL) == 1) return state;
    HMAC_CTX_free(state);
    return NULL;
}

static inline int healthsync_hmac_update(void *_Nonnull state, const void *_Nullable bytes, size_t length) {
    return HMAC_Update((HMAC_CTX *)state, (const unsigned char *)bytes, length);
}

/// Writes the 32 bytes of the code; returns 0 on failure.
static inline int healthsync_hmac_finish(void *_Nonnull state, unsigned char *_Nonnull code) {
    unsigned int length = 0;
    return HMAC_Final((HMAC_CTX *)state, code, &length) == 1 && length == 32;
}

static inline void healthsync_hmac_destroy(void *_Nullable state) { HMAC_CTX_free((HMAC_CTX *)state); }
