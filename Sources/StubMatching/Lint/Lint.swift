// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures

struct Lint {
    init(_ set: FixtureSet, order: [Int], targets: TargetGroups) {}
    func findings() -> [Finding] { [] }
}
