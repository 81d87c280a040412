// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors
#ifndef CLIBXML2_H
#define CLIBXML2_H
#endif
