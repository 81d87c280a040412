// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// libcurl's types, and its functions by way of a table that is filled when they are first needed.
//
// Nothing here links libcurl. `ccurl_load` opens it; until that has returned NULL no other function may be called but
// `ccurl_is_loaded` and `ccurl_library_use`. The functions take and return what libcurl's of the same name do.

#ifndef CCURL_H
#define CCURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Opens libcurl, resolves its functions and initialises it, once for the process; any thread may call it.
///
/// Returns NULL, or why it cannot be used; the text lives as long as the process.
const char *ccurl_load(void);

/// Whether `ccurl_load` has opened the library.
int ccurl_is_loaded(void);

/// Opens another file in the place of libcurl; for tests, before the first `ccurl_load`.
void ccurl_library_use(const char *name);

/// What libcurl calls itself, such as "7.88.1".
const char *ccurl_version(void);
/// The same as a number, such as 0x075801.
unsigned int ccurl_version_number(void);

// An easy handle.

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value);
/// libcurl copies strings; slists and buffers it does not.
CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_easy_set_write(CURL *easy, curl_write_callback callback, void *context);
CURLcode ccurl_easy_set_header(CURL *easy, curl_write_callback callback, void *context);
CURLcode ccurl_easy_set_read(CURL *easy, curl_read_callback callback, void *context);
CURLcode ccurl_easy_set_seek(CURL *easy, curl_seek_callback callback, void *context);
/// Judges the address that a connection would be made to, as a text: 0 for none.
struct ccurl_judge {
    int (*takes)(void *context, const char *address);
    void *context;
};
/// Sockets are opened so that child processes do not inherit them, and to the addresses alone that the judge takes: libcurl goes on with the
/// next one. All are taken if it is NULL; else it lives as long as the handle.
CURLcode ccurl_easy_set_sockets(CURL *easy, const struct ccurl_judge *judge);
/// Lets the transfer go by a connection that is there only: it fails where a new one is needed, and `*refused` is 1.
CURLcode ccurl_easy_refuse_connections(CURL *easy, int *refused);
/// Called when the connection stands, before anything is sent. Since 7.80.
CURLcode ccurl_easy_set_prereq(CURL *easy, curl_prereq_callback callback, void *context);
/// 0 where there is no such number.
long ccurl_easy_get_long(CURL *easy, CURLINFO info);
/// NULL where there is no such text; it lives as long as the handle, or until the next call.
const char *ccurl_easy_get_string(CURL *easy, CURLINFO info);
/// 0 where there is no such number.
curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info);
/// Bytes that were read from a connected socket of TCP until now, by whoever; 0 where the system does not say.
long long ccurl_socket_count_read(curl_socket_t socket);
CURLcode ccurl_easy_pause(CURL *easy, int mask);
const char *ccurl_easy_strerror(CURLcode code);

/// NULL where memory is out; the list given is then as it was.
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

// A multi handle.

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_set_socket(CURLM *multi, curl_socket_callback callback, void *context);
CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback callback, void *context);
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running);
CURLMcode ccurl_multi_assign(CURLM *multi, curl_socket_t socket, void *value);
/// The next transfer that has ended; 0 where there is none.
int ccurl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *code);
const char *ccurl_multi_strerror(CURLMcode code);

#endif
