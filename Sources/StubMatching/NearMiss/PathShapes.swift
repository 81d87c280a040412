// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

struct PathShapes: Sendable {
    init(_ set: FixtureSet, program: Program, targets: TargetGroups) {}
    func deallocate() {}
}
