// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Specimen {
    package typealias Format = (name: String, type: String, text: @Sendable (_ name: String, _ value: String) -> String)

    /// A telling name and its value in the formats of texts.
    package static let formats: [Specimen] = {
        var all: [Specimen] = []
        for (number, format) in texts.enumerated() {
            for (place, (name, pattern)) in [
                ("password", "<l5><d2>"), ("password", "Kx9-<a9>!"), ("api_key", "<a24>"), ("DB_PASSWORD", "<a10>"),
                ("client_secret", "<h32>"), ("access_token", "<a12>-<a8>"), ("password", "<a4> <a4> <d3>"),
                ("auth_token", "<u32>"),
            ].enumerated() {
                if pattern.contains(" "), !format.name.hasSuffix("*") { continue }
                let value = made(pattern, seed: UInt64(number * 13 + place * 5 + 17))
                all.append(Specimen(format.name, .body(format.type), format.text(name, value), secret: value))
            }
        }
        return all
    }()

    /// Formats in which a value may hold spaces end with a star.
    package static let texts: [Format] = lines + tables + markup + programs + structures

    private static let lines: [Format] = [
        (".env*", "text/plain", { "# app\nAPP=shop\n\($0)=\($1)\nDEBUG=false\n" }),
        (".env with export", "text/plain", { "export APP=shop\nexport \($0)=\($1)\n" }),
        (".env in quotes*", "text/plain", { "APP='shop'\n\($0)='\($1)'\n" }),
        ("INI*", "text/plain", { "[database]\nhost = localhost\n\($0) = \($1)\nport = 5432\n" }),
        ("properties*", "text/plain", { "app.name=shop\nspring.datasource.\($0)=\($1)\napp.port=80\n" }),
        ("properties with a colon", "text/plain", { "app.name: shop\napp.\($0): \($1)\n" }),
        ("YAML*", "application/yaml", { "db:\n  host: localhost\n  \($0): \($1)\n  port: 5432\n" }),
        ("YAML in quotes*", "application/yaml", { "db:\n  \($0): \"\($1)\"\n  port: 5432\n" }),
        ("YAML block", "application/yaml", { "db:\n  \($0): |-\n    \($1)\n  port: 5432\n" }),
        (
            "YAML list of variables", "text/plain",
            { "services:\n  web:\n    environment:\n      - APP=shop\n      - \($0)=\($1)\n" }
        ),
        ("TOML*", "application/toml", { "[db]\nhost = \"localhost\"\n\($0) = \"\($1)\"\n" }),
        ("HCL*", "text/plain", { "resource \"db\" \"a\" {\n  name = \"shop\"\n  \($0) = \"\($1)\"\n}\n" }),
        (
            "log of names and values", "text/plain",
            { "2026-10-29T13:04:51Z INFO login user=ann \($0)=\($1) ip=10.0.0.7\n" }
        ),
        ("log in quotes*", "text/plain", { "level=info msg=\"login\" \($0)=\"\($1)\" took=3ms\n" }),
        (
            "connection with semicolons*", "text/plain",
            { "Server=db.example.com;Database=shop;User Id=app;\($0)=\($1);Encrypt=true" }
        ),
        ("Dockerfile", "text/plain", { "FROM alpine:3.20\nENV APP=shop\nENV \($0)=\($1)\nARG X=1\n" }),
        ("netrc", "text/plain", { "machine example.com\nlogin ann\npassword \($1)\n# \($0.count)\n" }),
        ("npmrc", "text/plain", { "registry=https://registry.example.com/\n//registry.example.com/:_\($0)=\($1)\n" }),
        ("HTTP message", "message/http", { "GET / HTTP/1.1\nHost: example.com\nX-\($0): \($1)\nAccept: */*\n" }),
        ("windows batch", "text/plain", { "@echo off\nset APP=shop\nset \($0)=\($1)\n" }),
        (
            "registry*", "text/plain",
            {
                "Windows Registry Editor Version 5.00\n\n[HKEY_CURRENT_USER\\Shop]\n\"Name\"=\"shop\"\n\"\($0)\"=\"\($1)\"\n"
            }
        ),
        ("LDAP entry", "text/plain", { "dn: uid=ann,dc=example\nuid: ann\n\($0): \($1)\n" }),
    ]

    private static let tables: [Format] = [
        ("CSV*", "text/csv", { "id,email,\($0),role\n1,ann@example.com,\($1),admin\n2,bob@example.com,,user\n" }),
        ("CSV in quotes*", "text/csv", { "\"id\",\"\($0)\",\"role\"\n\"1\",\"\($1)\",\"admin\"\n" }),
        ("CSV with semicolons*", "text/csv; charset=utf-8", { "id;name;\($0)\n1;Ann;\($1)\n" }),
        ("CSV of another type", "text/plain", { "user,\($0)\nann,\($1)\n" }),
        ("CSV of names and values*", "text/csv", { "name,value\nAPP,shop\n\($0),\($1)\n" }),
        ("TSV*", "text/tab-separated-values", { "id\t\($0)\trole\n1\t\($1)\tadmin\n" }),
        (
            "Markdown table*", "text/markdown",
            { "# Users\n\n| user | \($0) |\n|---|---|\n| ann | \($1) |\n| bob | - |\n" }
        ),
        (
            "Markdown table of names and values", "text/markdown",
            { "| Name | Value |\n| :-- | --: |\n| APP | shop |\n| `\($0)` | `\($1)` |\n" }
        ),
        (
            "SQL INSERT*", "application/sql",
            { "INSERT INTO users (id, `\($0)`, role) VALUES (1, '\($1)', 'admin'), (2, NULL, 'user');" }
        ),
        ("SQL UPDATE*", "application/sql", { "UPDATE users SET \($0) = '\($1)' WHERE id = 1;" }),
        ("SQL IDENTIFIED BY*", "text/plain", { "CREATE USER '\($0.prefix(2))'@'%' IDENTIFIED BY '\($1)';" }),
        ("SQL PASSWORD*", "text/plain", { "-- \($0.count)\nALTER ROLE app WITH LOGIN PASSWORD '\($1)';" }),
    ]

    private static let markup: [Format] = [
        (
            "plist*", "application/xml",
            {
                "<plist><dict><key>Name</key><string>shop</string>\n<key>\($0)</key>\n<string>\($1)</string></dict></plist>"
            }
        ),
        (
            ".NET settings*", "application/xml",
            { "<appSettings><add key=\"App\" value=\"shop\"/><add key=\"\($0)\" value=\"\($1)\" /></appSettings>" }
        ),
        (
            ".NET settings, value first*", "application/xml",
            { "<appSettings><add value=\"\($1)\" key=\"\($0)\"/></appSettings>" }
        ),
        ("input*", "text/html", { "<form><input type=\"hidden\" name=\"\($0)\" value=\"\($1)\"></form>" }),
        ("input, value first*", "text/html", { "<form><input value='\($1)' type='hidden' name='\($0)'></form>" }),
        ("meta", "text/html", { "<head><meta content=\"\($1)\" name=\"\($0)\"></head>" }),
        ("attribute in XML*", "application/xml", { "<db host=\"localhost\" \($0)=\"\($1)\"/>" }),
        ("property in XML*", "application/xml", { "<bean><property name=\"\($0)\">\($1)</property></bean>" }),
        ("entry of Java*", "application/xml", { "<properties><entry key=\"db.\($0)\">\($1)</entry></properties>" }),
        ("name and value in XML*", "application/xml", { "<p><name>\($0)</name>\n  <value>\($1)</value></p>" }),
        ("table in HTML", "text/html", { "<table><tr><td>\($0)</td><td>\($1)</td></tr></table>" }),
        ("definition in HTML", "text/html", { "<dl><dt>\($0)</dt><dd>\($1)</dd></dl>" }),
        ("script in HTML", "text/html", { "<script>window.config = {name: 'shop', \($0): '\($1)'};</script>" }),
    ]

    private static let programs: [Format] = [
        ("curl -u", "text/plain", { "curl -s -u 'ann:\($1)' https://example.com/\($0.count)" }),
        ("curl --user", "text/plain", { "$ curl --user ann:\($1) https://example.com/\($0.count)" }),
        ("curl -H", "text/plain", { "curl https://example.com -H 'X-\($0): \($1)' -H \"Accept: */*\"" }),
        ("curl --data", "text/plain", { "curl -X POST --data '\($0)=\($1)&a=b' https://example.com" }),
        (
            "curl -d with JSON*", "text/plain",
            { "curl https://example.com -d '{\"user\":\"ann\",\"\($0)\":\"\($1)\"}'" }
        ),
        ("option of a command", "text/plain", { "shop deploy --\($0)=\($1) --force" }),
        ("option of a command, apart", "text/plain", { "shop deploy --\($0) \($1) --force" }),
        ("option in quotes*", "text/plain", { "shop deploy --\($0) '\($1)'" }),
        ("PHP*", "text/plain", { "<?php\nreturn ['host' => 'localhost', '\($0)' => '\($1)'];" }),
        ("PHP define", "text/plain", { "<?php\ndefine('APP', 'shop');\ndefine('\($0)', '\($1)');" }),
        ("Python", "text/x-python", { "import shop\n\($0) = '\($1)'\nshop.connect()\n" }),
        ("Python dictionary", "text/plain", { "{'user': 'ann', '\($0)': '\($1)'}" }),
        ("Ruby", "text/plain", { "connect(host: \"localhost\", \($0): \"\($1)\")" }),
        ("Ruby with arrows", "text/plain", { "{:user => \"ann\", :\($0) => \"\($1)\"}" }),
        ("JavaScript", "application/javascript", { "const a = 1;\nconst \($0) = \"\($1)\";\nlogin(a);\n" }),
        ("Go", "text/plain", { "cfg := Config{Host: \"a\"}\n\($0) := \"\($1)\"\n" }),
        ("shell in double quotes", "text/x-sh", { "#!/bin/sh\nset -e\nexport \($0)=\"\($1)\"\nrun\n" }),
        ("GraphQL", "application/graphql", { "mutation { login(user: \"ann\", \($0): \"\($1)\") { id } }" }),
    ]

    private static let structures: [Format] = [
        (
            "name and value in JSON*", "application/json",
            { "[{\"name\":\"APP\",\"value\":\"shop\"},{\"name\":\"\($0)\",\"value\":\"\($1)\"}]" }
        ),
        (
            "key and value in JSON*", "application/json",
            { "{\"vars\":[{\"key\":\"\($0)\",\"type\":\"text\",\"value\":\"\($1)\"}]}" }
        ),
        ("value first in JSON*", "application/json", { "[{\"value\":\"\($1)\",\"name\":\"\($0)\"}]" }),
        ("nested value in JSON*", "application/json", { "{\"\($0)\":{\"type\":\"string\",\"value\":\"\($1)\"}}" }),
        ("JSON in lines*", "application/x-ndjson", { "{\"a\":1}\n{\"\($0)\":\"\($1)\"}\n" }),
        ("JSON that is cut*", "application/json", { "{\"a\": [1, {\"\($0)\": \"\($1)\", \"b\":" }),
        ("JSON in a string*", "application/json", { "{\"log\": \"{\\\"\($0)\\\": \\\"\($1)\\\"}\"}" }),
        ("configuration in a string*", "application/json", { "{\"file\": \"host=a\\n\($0)=\($1)\\nport=1\\n\"}" }),
        (
            "SQL in a string*", "application/json",
            { "{\"statement\": \"INSERT INTO u (id, \($0)) VALUES (1, '\($1)')\"}" }
        ),
        ("server-sent events*", "text/event-stream", { "event: x\ndata: {\"\($0)\": \"\($1)\"}\n\n" }),
        ("script of another site*", "application/javascript", { "callback({\"\($0)\": \"\($1)\"});" }),
        ("JSON with comments*", "application/json", { "{\n  // here\n  \"\($0)\": \"\($1)\",\n}" }),
        (
            "multipart*", "multipart/form-data; boundary=b",
            { "--b\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n--b--\r\n" }
        ),
    ]
}
