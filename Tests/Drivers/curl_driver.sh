#!/usr/bin/env bash
# Puts curl to the contract. Arguments go to curl, such as --http2-prior-knowledge.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A step as lines of shell, and what curl printed of its transfers as a list of reports.
as_shell='@sh "id=\(.id) method=\(.method) times=\(.times)",
    @sh "seconds=\(if .cancelAfterMilliseconds then .cancelAfterMilliseconds / 1000 else .timeoutSeconds end)",
    @sh "before=\(.before // "")", @sh "user=\(if .user then "\(.user):\(.password)" else "" end)", @sh "headers=(\([.headers[] | join(": ")]))",
    @sh "urls=(\(.urls // [.url]))", @sh "body=\(if has("body") then .body | @base64 else .bodyBase64 // "" end)"'
as_report='def error: {"28": "timeout", "47": "redirects", "61": "decoding", "7": "connection", "18": "connection",
        "52": "connection", "55": "connection", "56": "connection", "1": "protocol", "8": "protocol", "16": "protocol",
        "43": "protocol", "92": "protocol", "35": "certificate", "60": "certificate"}[.] // "other";
    # Heads of 1xx and of redirections stand in front of the last.
    ($head | rtrimstr("\r\n\r\n") | split("\r\n\r\n") | last // "" | [splits("\r\n") | capture("^(?<n>[^:\\s]+):\\s*(?<v>.*)$") | [.n, .v]]) as $headers
    | [inputs | split("\t") | {step: $id, index: .[4] | tonumber, used: (if $user == "" then [] else ["user"] end)} + if .[0] == "0"
        then {status: .[1] | tonumber, headers: $headers, bodyBase64: .[3]} else {error: .[0] | error, detail: "\(.[0]) \(.[2])"} end]'

take() {
    arguments=()
    # A process for each step has no connection from those before.
    if [ -n "$before" ]; then arguments+=(-s "$@" -o /dev/null "$before" --next); fi
    arguments+=(-sS -L --max-redirs 10 --compressed --max-time "$seconds" --cacert "$authority" -b "" "$@")
    if [ -n "${NETRC:-}" ]; then arguments+=(--netrc-file "$NETRC"); fi
    for header in "${headers[@]}"; do arguments+=(-H "$header"); done
    if [ -n "$user" ]; then arguments+=(-u "$user"); fi
    case $method in HEAD) arguments+=(--head) ;; POST | PUT) ;; *) arguments+=(-X "$method") ;; esac
    base64 -d <<<"$body" >"$work/body"
    if [ "$method" = PUT ]; then arguments+=(-T "$work/body"); elif [ -s "$work/body" ] || [ "$method" = POST ]; then arguments+=(--data-binary "@$work/body"); fi
    rm -f "$work"/[0-9]* && : >"$work/head"
    for ((index = 0; index < times; index++)); do arguments+=(--url "${urls[index]:-${urls[0]}}" -o "$work/$index"); done
    if [ "$times" -gt 1 ]; then arguments+=(--parallel); else arguments+=(-D "$work/head"); fi
    curl "${arguments[@]}" -w '%{urlnum}\t%{exitcode}\t%{http_code}\t%{errormsg}\n' 2>/dev/null |
        while IFS=$'\t' read -r index code status message; do
            [ -z "$before" ] || index=$((index - 1))
            [ "$method" != HEAD ] && [ -s "$work/$index" ] && content=$(base64 -w0 "$work/$index") || content=
            printf '%s\t%s\t%s\t%s\t%s\n' "$code" "$status" "$message" "$content" "$index"
        done >"$work/lines"
    jq -Rn --arg id "$id" --arg user "$user" --rawfile head "$work/head" "$as_report" "$work/lines" |
        curl -sS --fail-with-body --data-binary @- "$MOCKAPI_URL/__contract/report" >/dev/null
}

curl -sS "$MOCKAPI_URL/__contract/plan" >"$work/plan"
curl -sS -d '{"has": ["cookies"]}' "$MOCKAPI_URL/__contract/report" >/dev/null
authority=$(jq -r '.authority // "/etc/ssl/certs/ca-certificates.crt"' "$work/plan")
jq -c '.steps[]' "$work/plan" | while IFS= read -r step; do
    eval "$(jq -r "$as_shell" <<<"$step")"
    take "$@" </dev/null
done
