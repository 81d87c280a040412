// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Testing

/// Recordings by the built command, of services that are servers of their own. Each keeps the machine busy: one at a time.
@Suite(.serialized) enum RecordingEndToEnd {}
