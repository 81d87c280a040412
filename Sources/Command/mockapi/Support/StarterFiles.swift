// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures

/// The files that `mockapi init` writes.
struct StarterFiles {
    let directory: String

    /// Each with its path from the working directory.
    var files: [(path: String, text: String)] {
        [
            ("\(directory)/index.html", Self.page), ("\(directory)/logo.svg", Self.image),
            ("\(directory)/api/items.json", Self.items), ("\(directory)/api/items.POST.stub.json", Self.stub),
            (schemaPath, FixtureSchema.json + "\n"), (".vscode/settings.json", editorSettings),
            (".github/workflows/mockapi.yml", job),
        ]
    }

    /// A folder whose name begins with a dot is not served.
    private var schemaPath: String { "\(directory)/.schema/stub.schema.json" }

    private static let page = """
        <!DOCTYPE html>
        <title>mockapi</title>
        <img src="logo.svg" alt="" width="64">
        <ul id="items"></ul>
        <script>
          fetch("api/items").then(response => response.json()).then(items => {
            for (const item of items) {
              document.getElementById("items").append(Object.assign(document.createElement("li"), { textContent: item.title }));
            }
          });
        </script>

        """

    private static let image = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="12" fill="#3f51b5"/>\
        <path d="M14 46V20l18 14 18-14v26" fill="none" stroke="#fff" stroke-width="6"/></svg>

        """

    private static let items = """
        [
          { "id": 1, "title": "Bread" },
          { "id": 2, "title": "Butter" }
        ]

        """

    private static let stub = """
        {
          "$schema": "../.schema/stub.schema.json",
          "name": "an item is added",
          "request": {
            "method": "POST",
            "urlPath": "/api/items",
            "bodyPatterns": [{ "matchesJsonPath": "$.title" }]
          },
          "response": {
            "status": 201,
            "headers": ["Location: /api/items/3"],
            "jsonBody": { "id": 3, "title": "Jam" }
          }
        }

        """

    private var editorSettings: String {
        """
        {
          "json.schemas": [
            { "fileMatch": ["/\(directory)/**/*.stub.json"], "url": "./\(schemaPath)" }
          ]
        }

        """
    }

    private var job: String {
        """
        name: mockapi
        on: [push, pull_request]
        jobs:
          fixtures:
            runs-on: ubuntu-24.04
            steps:
              - uses: actions/checkout@v4
              - uses: mockapi/mockapi@v\(mockapiVersion)
                with:
                  version: \(mockapiVersion)
              - run: mockapi check \(directory) --format github
              # Replace the command with your tests: they find the server in MOCKAPI_URL.
              - run: mockapi run \(directory) -- sh -c 'curl -fsS "$MOCKAPI_URL/api/items"'

        """
    }
}
