// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "CLibXML2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__
static const char *const LIBRARIES[] = {"libxml2.16.dylib", "/usr/lib/libxml2.2.dylib", "libxml2.2.dylib"};
#define REMEDY "install libxml2: brew install libxml2"
#else
static const char *const LIBRARIES[] = {"libxml2.so.2", "libxml2.so.16"};
#define REMEDY "install libxml2: apt-get install libxml2"
#endif

// The parts of libxml2's error that are read; it has begun so since 2.6.
typedef struct {
    int domain;
    int code;
    char *message;
    int level;
    char *file;
    int line;
    char *str1;
    char *str2;
    char *str3;
    int int1;
    int column;
} library_error;

typedef void *reader_pointer;
typedef void (*error_handler)(void *context, const library_error *error);

// Every function that is called, once: the table's members and what fills them cannot disagree.
#define FUNCTIONS(each)                                                                             \
    each(void, xmlInitParser, (void))                                                               \
    each(reader_pointer, xmlReaderForIO,                                                            \
         (clibxml_source, int (*)(void *), void *, const char *, const char *, int))                \
    each(void, xmlFreeTextReader, (reader_pointer))                                                 \
    each(int, xmlTextReaderRead, (reader_pointer))                                                  \
    each(int, xmlTextReaderMoveToNextAttribute, (reader_pointer))                                   \
    each(int, xmlTextReaderMoveToElement, (reader_pointer))                                         \
    each(int, xmlTextReaderNodeType, (reader_pointer))                                              \
    each(int, xmlTextReaderIsEmptyElement, (reader_pointer))                                        \
    each(int, xmlTextReaderIsNamespaceDecl, (reader_pointer))                                       \
    each(const char *, xmlTextReaderConstLocalName, (reader_pointer))                               \
    each(const char *, xmlTextReaderConstPrefix, (reader_pointer))                                  \
    each(const char *, xmlTextReaderConstNamespaceUri, (reader_pointer))                            \
    each(const char *, xmlTextReaderConstValue, (reader_pointer))                                   \
    each(int, xmlTextReaderGetParserLineNumber, (reader_pointer))                                   \
    each(int, xmlTextReaderGetParserColumnNumber, (reader_pointer))                                 \
    each(void, xmlTextReaderSetStructuredErrorHandler, (reader_pointer, error_handler, void *))

#define MEMBER(result, name, parameters) result(*name) parameters;
static struct {
    FUNCTIONS(MEMBER)
} table;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *library_name = NULL;
static const char *failure = NULL;
static char failure_text[512];
static int version = 0;
static atomic_int loaded = 0;

static void fail(const char *what, const char *why) {
    snprintf(failure_text, sizeof failure_text, "%s: %s; " REMEDY, what, why ? why : "no reason given");
    failure = failure_text;
}

static void load(void) {
    void *library = NULL;
    char reason[256] = "";
    if (library_name) {
        library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    } else {
        for (size_t i = 0; !library && i < sizeof LIBRARIES / sizeof *LIBRARIES; i++) {
            library = dlopen(LIBRARIES[i], RTLD_NOW | RTLD_LOCAL);
            if (!library && !*reason) {
                snprintf(reason, sizeof reason, "%s", dlerror());
            }
        }
    }
    if (!library) {
        fail("libxml2 cannot be loaded", *reason ? reason : dlerror());
        return;
    }
#define RESOLVE(result, name, parameters)                                                           \
    *(void **)&table.name = dlsym(library, #name);                                                  \
    if (!table.name) {                                                                              \
        fail("libxml2 has no " #name, dlerror());                                                   \
        return;                                                                                     \
    }
    FUNCTIONS(RESOLVE)
    const char *const *number = dlsym(library, "xmlParserVersion");
    version = number && *number ? atoi(*number) : 0;
    if (version < 20900) {
        fail("libxml2 cannot be used", "it is older than 2.9");
        return;
    }
    table.xmlInitParser();
    atomic_store(&loaded, 1);
}

const char *clibxml_load(void) {
    pthread_once(&once, load);
    return failure;
}

int clibxml_is_loaded(void) { return atomic_load(&loaded); }
void clibxml_library_use(const char *name) { library_name = strdup(name); }
int clibxml_version(void) { return version; }

struct clibxml_reader {
    reader_pointer reader;
    int level;
    int line;
    int column;
    char message[256];
};

enum { level_warning = 1, parse_no_network = 1 << 11, parse_compact = 1 << 16 };

static void note(void *context, const library_error *error) {
    clibxml_reader *reader = context;
    // The first error is the cause of those behind it; one of namespaces ends nothing, so that a graver one takes its place.
    if (!error || error->level <= level_warning || error->level <= reader->level) {
        return;
    }
    reader->level = error->level;
    snprintf(reader->message, sizeof reader->message, "%s", error->message ? error->message : "no reason given");
    reader->line = error->line;
    reader->column = error->column;
}

clibxml_reader *clibxml_reader_new(clibxml_source source, void *context, const char *encoding) {
    clibxml_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return NULL;
    }
    reader->reader = table.xmlReaderForIO(source, NULL, context, NULL, encoding, parse_no_network | parse_compact);
    if (!reader->reader) {
        free(reader);
        return NULL;
    }
    table.xmlTextReaderSetStructuredErrorHandler(reader->reader, note, reader);
    return reader;
}

void clibxml_reader_free(clibxml_reader *reader) {
    table.xmlFreeTextReader(reader->reader);
    free(reader);
}

int clibxml_read(clibxml_reader *reader) { return table.xmlTextReaderRead(reader->reader); }
int clibxml_next_attribute(clibxml_reader *reader) { return table.xmlTextReaderMoveToNextAttribute(reader->reader); }
void clibxml_leave_attributes(clibxml_reader *reader) { table.xmlTextReaderMoveToElement(reader->reader); }
int clibxml_node_type(clibxml_reader *reader) { return table.xmlTextReaderNodeType(reader->reader); }
int clibxml_is_empty(clibxml_reader *reader) { return table.xmlTextReaderIsEmptyElement(reader->reader); }
int clibxml_is_namespace(clibxml_reader *reader) { return table.xmlTextReaderIsNamespaceDecl(reader->reader); }
const char *clibxml_local_name(clibxml_reader *reader) { return table.xmlTextReaderConstLocalName(reader->reader); }
const char *clibxml_prefix(clibxml_reader *reader) { return table.xmlTextReaderConstPrefix(reader->reader); }
const char *clibxml_namespace(clibxml_reader *reader) {
    return table.xmlTextReaderConstNamespaceUri(reader->reader);
}
const char *clibxml_value(clibxml_reader *reader) { return table.xmlTextReaderConstValue(reader->reader); }

const char *clibxml_error(clibxml_reader *reader, int *line, int *column) {
    *line = reader->line;
    *column = reader->column;
    return reader->message;
}
int clibxml_line(clibxml_reader *reader) { return table.xmlTextReaderGetParserLineNumber(reader->reader); }
int clibxml_column(clibxml_reader *reader) { return table.xmlTextReaderGetParserColumnNumber(reader->reader); }
