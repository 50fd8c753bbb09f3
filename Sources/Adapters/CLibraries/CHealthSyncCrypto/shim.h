#pragma once

// The block functions below are deprecated in favor of EVP, which looks up the algorithm by name and allocates memory
// for every message: several times the cost of hashing the roughly 200 bytes of a sample's identity.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
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
