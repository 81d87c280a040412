// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CCurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#ifdef __APPLE__
#include <netinet/tcp.h>
#else
// The C library's own does not have all of tcp_info.
#include <linux/tcp.h>
#endif

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#define REMEDY "install it: brew install curl"
#else
#define LIBRARY "libcurl.so.4"
#define REMEDY "install libcurl4: apt-get install libcurl4"
#endif

// Every function that is called, once: the table's members and what fills them cannot disagree.
#define FUNCTIONS(each)                                                                             \
    each(CURLcode, curl_global_init, (long))                                                        \
    each(curl_version_info_data *, curl_version_info, (CURLversion))                                \
    each(CURL *, curl_easy_init, (void))                                                            \
    each(void, curl_easy_cleanup, (CURL *))                                                         \
    each(CURLcode, curl_easy_setopt, (CURL *, CURLoption, ...))                                     \
    each(CURLcode, curl_easy_getinfo, (CURL *, CURLINFO, ...))                                      \
    each(CURLcode, curl_easy_pause, (CURL *, int))                                                  \
    each(const char *, curl_easy_strerror, (CURLcode))                                              \
    each(struct curl_slist *, curl_slist_append, (struct curl_slist *, const char *))               \
    each(void, curl_slist_free_all, (struct curl_slist *))                                          \
    each(CURLM *, curl_multi_init, (void))                                                          \
    each(CURLMcode, curl_multi_cleanup, (CURLM *))                                                  \
    each(CURLMcode, curl_multi_add_handle, (CURLM *, CURL *))                                       \
    each(CURLMcode, curl_multi_remove_handle, (CURLM *, CURL *))                                    \
    each(CURLMcode, curl_multi_setopt, (CURLM *, CURLMoption, ...))                                 \
    each(CURLMcode, curl_multi_socket_action, (CURLM *, curl_socket_t, int, int *))                 \
    each(CURLMcode, curl_multi_assign, (CURLM *, curl_socket_t, void *))                            \
    each(CURLMsg *, curl_multi_info_read, (CURLM *, int *))                                         \
    each(const char *, curl_multi_strerror, (CURLMcode))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    FUNCTIONS(MEMBER)
} table;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *library_name = LIBRARY;
static const char *failure = NULL;
static char failure_text[512];
static atomic_int loaded = 0;

static void fail(const char *what, const char *why) {
    snprintf(failure_text, sizeof failure_text, "%s: %s; " REMEDY, what, why ? why : "no reason given");
    failure = failure_text;
}

static void load(void) {
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
#ifdef __APPLE__
    // The system's stands aside from dlopen's search where a package manager's is not found.
    if (!library && library_name[0] != '/') {
        library = dlopen("/usr/lib/libcurl.4.dylib", RTLD_NOW | RTLD_LOCAL);
    }
#endif
    if (!library) {
        fail("libcurl cannot be loaded", dlerror());
        return;
    }
#define RESOLVE(result, name, parameters)                                                           \
    *(void **)&table.name = dlsym(library, #name);                                                  \
    if (!table.name) {                                                                              \
        fail("libcurl has no " #name, dlerror());                                                   \
        return;                                                                                     \
    }
    FUNCTIONS(RESOLVE)
    CURLcode code = table.curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK) {
        fail("libcurl cannot be initialised", table.curl_easy_strerror(code));
        return;
    }
    atomic_store(&loaded, 1);
}

const char *ccurl_load(void) {
    pthread_once(&once, load);
    return failure;
}

int ccurl_is_loaded(void) { return atomic_load(&loaded); }
void ccurl_library_use(const char *name) { library_name = strdup(name); }
const char *ccurl_version(void) { return table.curl_version_info(CURLVERSION_NOW)->version; }
unsigned int ccurl_version_number(void) { return table.curl_version_info(CURLVERSION_NOW)->version_num; }

CURL *ccurl_easy_init(void) { return table.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { table.curl_easy_cleanup(easy); }

CURLcode ccurl_easy_set_long(CURL *easy, CURLoption option, long value) {
    return table.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return table.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
    return table.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_easy_set_string(CURL *easy, CURLoption option, const char *value) {
    return table.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_easy_set_write(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}
CURLcode ccurl_easy_set_header(CURL *easy, curl_write_callback callback, void *context) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}
CURLcode ccurl_easy_set_read(CURL *easy, curl_read_callback callback, void *context) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_READFUNCTION, callback);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_READDATA, context);
}
CURLcode ccurl_easy_set_seek(CURL *easy, curl_seek_callback callback, void *context) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    const struct ccurl_judge *judge = context;
    (void)purpose;
    char text[INET6_ADDRSTRLEN] = "";
    if (address->family == AF_INET) {
        inet_ntop(AF_INET, &((struct sockaddr_in *)&address->addr)->sin_addr, text, sizeof text);
    } else if (address->family == AF_INET6) {
        inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&address->addr)->sin6_addr, text, sizeof text);
    }
    if (judge && !judge->takes(judge->context, text)) {
        return CURL_SOCKET_BAD;
    }
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    curl_socket_t descriptor = socket(address->family, address->socktype, address->protocol);
    if (descriptor != CURL_SOCKET_BAD) {
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
    return descriptor;
#endif
}

CURLcode ccurl_easy_set_sockets(CURL *easy, const struct ccurl_judge *judge) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, judge);
}

static curl_socket_t refuse_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)purpose;
    (void)address;
    *(int *)context = 1;
    return CURL_SOCKET_BAD;
}

CURLcode ccurl_easy_refuse_connections(CURL *easy, int *refused) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, refuse_socket);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, refused);
}
CURLcode ccurl_easy_set_prereq(CURL *easy, curl_prereq_callback callback, void *context) {
    CURLcode code = table.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
    return code ? code : table.curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

long ccurl_easy_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
const char *ccurl_easy_get_string(CURL *easy, CURLINFO info) {
    char *value = NULL;
    return table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : NULL;
}
curl_off_t ccurl_easy_get_offset(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}
long long ccurl_socket_count_read(curl_socket_t socket) {
    int unread = 0;
    if (ioctl(socket, FIONREAD, &unread)) {
        return 0;
    }
#ifdef __APPLE__
    struct tcp_connection_info info = {0};
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_CONNECTION_INFO, &info, &size) ? 0 : (long long)info.tcpi_rxbytes - unread;
#else
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) ? 0 : (long long)info.tcpi_bytes_received - unread;
#endif
}
CURLcode ccurl_easy_pause(CURL *easy, int mask) { return table.curl_easy_pause(easy, mask); }
const char *ccurl_easy_strerror(CURLcode code) { return table.curl_easy_strerror(code); }

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return table.curl_slist_append(list, text);
}
void ccurl_slist_free_all(struct curl_slist *list) { table.curl_slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return table.curl_multi_init(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return table.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return table.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return table.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return table.curl_multi_setopt(multi, option, value);
}
CURLMcode ccurl_multi_set_socket(CURLM *multi, curl_socket_callback callback, void *context) {
    CURLMcode code = table.curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
    return code ? code : table.curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
CURLMcode ccurl_multi_set_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
    CURLMcode code = table.curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
    return code ? code : table.curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return table.curl_multi_socket_action(multi, socket, events, running);
}
CURLMcode ccurl_multi_assign(CURLM *multi, curl_socket_t socket, void *value) {
    return table.curl_multi_assign(multi, socket, value);
}
int ccurl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *code) {
    int left = 0;
    CURLMsg *message;
    while ((message = table.curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *code = message->data.result;
            return 1;
        }
    }
    return 0;
}
const char *ccurl_multi_strerror(CURLMcode code) { return table.curl_multi_strerror(code); }
