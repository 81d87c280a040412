// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import ArgumentParser
import MockServer

extension LogFormat: ExpressibleByArgument {}
