// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

// libxml2's streaming reader, by way of a table that is filled when it is first needed.
//
// Nothing here links libxml2, and its headers are not needed: the reader is asked by functions alone, whose signatures
// are the same from 2.9 on, in libxml2.so.2 and in libxml2.so.16. `clibxml_load` opens the library; until that has
// returned NULL no other function may be called but `clibxml_is_loaded` and `clibxml_library_use`.

#ifndef CLIBXML2_H
#define CLIBXML2_H

/// Opens libxml2 and resolves its functions, once for the process; any thread may call it.
///
/// Returns NULL, or why it cannot be used; the text lives as long as the process.
const char *clibxml_load(void);

/// Whether `clibxml_load` has opened the library.
int clibxml_is_loaded(void);

/// Opens another file in the place of libxml2; for tests, before the first `clibxml_load`.
void clibxml_library_use(const char *name);

/// The library's version as a number, such as 20914 for 2.9.14.
int clibxml_version(void);

/// What a reader stands at.
typedef struct clibxml_reader clibxml_reader;

/// The kinds of node that a reader stops at.
enum {
    clibxml_element = 1,
    clibxml_attribute = 2,
    clibxml_text = 3,
    clibxml_cdata = 4,
    clibxml_entity_reference = 5,
    clibxml_processing_instruction = 7,
    clibxml_comment = 8,
    clibxml_document_type = 10,
    clibxml_whitespace = 13,
    clibxml_significant_whitespace = 14,
    clibxml_end_element = 15,
    clibxml_end_entity = 16,
};

/// Gives the next bytes of a text, at most so many: how many they are, 0 at the end, -1 if there will be no more of it.
typedef int (*clibxml_source)(void *context, char *buffer, int most);

/// A reader of a text, whose source must live as long; NULL where memory is out.
///
/// Nothing is loaded from elsewhere, and no entity is replaced but XML's own five. `encoding` is NULL or overrules what
/// the text says of itself.
clibxml_reader *clibxml_reader_new(clibxml_source source, void *context, const char *encoding);
void clibxml_reader_free(clibxml_reader *reader);

/// Goes to the next node: 1, 0 at the end, -1 where the text is not well-formed.
int clibxml_read(clibxml_reader *reader);
/// Goes to the next attribute of the element: 1, 0 where there is none.
int clibxml_next_attribute(clibxml_reader *reader);
/// Goes back from an attribute to its element.
void clibxml_leave_attributes(clibxml_reader *reader);

int clibxml_node_type(clibxml_reader *reader);
int clibxml_is_empty(clibxml_reader *reader);
int clibxml_is_namespace(clibxml_reader *reader);
/// NULL where the node has none; the texts live until the reader goes on, names as long as the reader.
const char *clibxml_local_name(clibxml_reader *reader);
const char *clibxml_prefix(clibxml_reader *reader);
const char *clibxml_namespace(clibxml_reader *reader);
const char *clibxml_value(clibxml_reader *reader);

/// The message, line and column of the first of the gravest errors; the message is empty where there was none.
const char *clibxml_error(clibxml_reader *reader, int *line, int *column);
/// Where the reader is in the text.
int clibxml_line(clibxml_reader *reader);
int clibxml_column(clibxml_reader *reader);

#endif
