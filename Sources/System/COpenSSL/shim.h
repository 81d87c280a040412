// OpenSSL, and as functions what it has as macros only.

#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline void copenssl_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }
static inline void copenssl_bio_clear_retry(BIO *bio) { BIO_clear_retry_flags(bio); }
static inline long copenssl_ctx_set_min_tls12(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
static inline void copenssl_ctx_refuse_renegotiation(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}
static inline void copenssl_ctx_keep_no_sessions(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}
static inline long copenssl_ctx_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline long copenssl_ctx_add_chain_cert(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add1_chain_cert(context, certificate);
}
static inline void copenssl_ctx_set_servername_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *)) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}
static inline void copenssl_ctx_set_servername_argument(SSL_CTX *context, void *argument) {
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}
static inline int copenssl_certificates_count(const STACK_OF(X509) *certificates) { return sk_X509_num(certificates); }
static inline X509 *copenssl_certificates_at(const STACK_OF(X509) *certificates, int place) {
    return sk_X509_value(certificates, place);
}
static inline void copenssl_certificates_free(STACK_OF(X509) *certificates) { sk_X509_pop_free(certificates, X509_free); }
static inline EVP_PKEY *copenssl_generate_p256(void) { return EVP_EC_gen("P-256"); }

#endif
