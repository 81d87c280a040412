// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiReports

/// Paths as readers of a repository know them.
@Suite(.supervised) struct WorkspaceTests {
    @Test(arguments: [
        ("F/a.json", "api/F/a.json"), ("./F/a.json", "api/F/a.json"), ("../F/./a.json", "F/a.json"),
        ("gone/x/../a.json", "api/gone/a.json"), ("linked/a.json", "api/F/a.json"), ("../../x.json", "../../x.json"),
        ("/etc/x.json", "/etc/x.json"),
    ])
    func `a path is told from the top of the checkout`(_ given: String, _ expected: String) throws {
        let directory = try TemporaryDirectory(["r/api/F/a.json": "{}", "r/F/a.json": "{}"])
        try directory.link("r/api/linked", to: "F")
        try directory.link("top", to: "r")
        for top in ["r", "r/", "top"] {
            let workspace = Workspace(directory: "\(directory.path)/r/api", tops: ["\(directory.path)/\(top)"])
            #expect(workspace.path(given) == expected)
            #expect(workspace.path("\(directory.path)/r/api/F/a.json") == "api/F/a.json")
        }
    }

    @Test func `a checkout is where the variables of a CI service name it`() {
        let all = ["GITHUB_WORKSPACE": "/g", "CI_PROJECT_DIR": "relative", "WORKSPACE": "/j"]
        #expect(Workspace.tops { all[$0] } == ["/g"])
        #expect(Workspace.tops { $0 == "JENKINS_URL" ? "http://j" : all[$0] } == ["/g", "/j"])
        #expect(Workspace.tops { ["CI_PROJECT_DIR": "/l", "JENKINS_URL": "x"][$0] } == ["/l"])
        #expect(Workspace.tops { _ in nil } == [])
    }

    @Test func `without a checkout of CI it is the work tree, that of a submodule too`() throws {
        let directory = try TemporaryDirectory([
            "r/.git/HEAD": "", "r/api/F/a.json": "{}", "r/sub/.git": "gitdir: ../.git", "r/sub/F/a.json": "{}",
        ])
        let workspace = Workspace(directory: "\(directory.path)/r/api")
        #expect(workspace.path("F/a.json") == "api/F/a.json")
        #expect(workspace.path("../sub/F/a.json") == "F/a.json")
        #expect(Workspace(directory: directory.path).path("./r.json") == "r.json")
    }
}
