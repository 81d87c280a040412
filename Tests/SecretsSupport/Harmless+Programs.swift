// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension Harmless {
    /// Programs, and pages about them, that speak of secrets and hold none.
    static let programs: [(String, String)] = [
        (
            "application/javascript",
            "const password = location.hash.slice(1);\nlogin(password);\n"
        ),
        (
            "text/html",
            "<script>const password = location.hash.substring(1) || prompt('Code'); login(password);</script>"
        ),
        (
            "text/html",
            "<script>\n  var token = document.querySelector('meta[name=csrf-token]').content;\n  const secret = params.get('s');\n</script>"
        ),
        (
            "application/javascript",
            "let password = req.body.password\nlet token = req.headers['x-token']\nif (!password) next()\n"
        ),
        (
            "application/javascript",
            "this.password = options.password;\nthis.token = options.token || defaults.token;\n"
        ),
        (
            "application/javascript",
            "creds.username = parts.shift()\n      creds.password = parts.join(':')\n      creds.auth = encode(creds)\n"
        ),
        (
            "application/javascript",
            "function f(){return a!==b?this._password+=c.next():this._password=\"\"}"
        ),
        (
            "application/javascript",
            "const passphrase = await readUserInput('Passphrase')\nconst pwd = process.env.PWD2\n"
        ),
        (
            "text/x-python",
            "password = os.environ[\"DB_PASSWORD\"]\ntoken = getpass.getpass()\nsecret = config.get(\"secret\")\n"
        ),
        (
            "text/x-python",
            "if not isinstance(password, bytes):\n    password = password.encode(\"utf-8\")\nself.password = password\n"
        ),
        (
            "text/plain",
            "def login(user, password=None, token=None):\n    return post(user=user, password=password, token=token)\n"
        ),
        (
            "text/plain",
            "password := r.FormValue(\"password\")\ntoken := cfg.Token()\n"
        ),
        (
            "text/plain",
            "String password = request.getParameter(\"password\");\nchar[] secret = console.readPassword();\n"
        ),
        (
            "text/html",
            "<a class=\"mark\" href=\"#err_missing_passphrase\" id=\"err_missing_passphrase\">ERR_MISSING_PASSPHRASE</a>"
        ),
        (
            "text/html",
            "<li><code>passphrase</code> <a href=\"#string\" class=\"type\">&lt;string&gt;</a> Optional</li>"
        ),
        (
            "application/xml",
            "<servlet><servlet-name>Session</servlet-name><servlet-class>org.example.SessionDump2</servlet-class></servlet>"
        ),
        (
            "application/xml",
            "<component><group>com.example.auth</group><name>example-auth-library-oauth2-http</name></component>"
        ),
        (
            "application/json",
            "{\"operations\": {\"a\": {\"name\": \"ListJournalS3ExportsForLedgerRequest\"}}}"
        ),
        (
            "application/json",
            "{\"input\": {\"shape\": \"ListDistributionsByWebACLId2016_09_29Request\"}}"
        ),
        (
            "text/html",
            "<ul><li> id-tc26-gost-3410-12-256-paramSetA (<cite>RFC 4357</cite>)</li></ul>"
        ),
        (
            "application/javascript",
            "exports.bigIntAndBufferInt64Check = bigIntAndBufferInt64Check;"
        ),
    ]
}
