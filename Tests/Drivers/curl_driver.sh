#!/usr/bin/env bash
# Puts curl to the contract. Arguments go to curl, such as --http2-prior-knowledge.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What curl's exit codes come down to.
failure() {
    case $1 in
    28) echo timeout ;; 47) echo redirects ;; 61) echo decoding ;; 1 | 8 | 16 | 43 | 92) echo protocol ;;
    7 | 18 | 52 | 55 | 56) echo connection ;; *) echo other ;;
    esac
}

report() {
    curl -sS --fail-with-body --data-binary @- -H 'Content-Type: application/json' "$MOCKAPI_URL/__contract/report" >/dev/null
}

take() {
    step=$1
    shift
    get() { jq -r "$1" <<<"$step"; }
    id=$(get .id) method=$(get .method) times=$(get .times)
    seconds=$(get 'if .cancelAfterMilliseconds then .cancelAfterMilliseconds / 1000 else .timeoutSeconds end')
    arguments=(-sS -L --max-redirs 10 --compressed --max-time "$seconds" "$@")
    while IFS= read -r header; do arguments+=(-H "$header"); done < <(get '.headers[] | join(": ")')
    case $method in
    HEAD) arguments+=(--head) ;;
    POST) ;;
    *) arguments+=(-X "$method") ;;
    esac
    if [ "$(get 'has("body") or has("bodyBase64")')" = true ]; then
        get 'if has("body") then .body | @base64 else .bodyBase64 end' | base64 -d >"$work/body"
        arguments+=(--data-binary "@$work/body")
    elif [ "$method" = POST ]; then
        arguments+=(--data "")
    fi
    for ((index = 0; index < times; index++)); do
        arguments+=(--url "$(get .url)" -o "$work/$index")
    done
    rm -f "$work"/[0-9]* "$work/head"
    arguments+=(-w '%{urlnum} %{exitcode} %{http_code} %{errormsg}\n')
    if [ "$times" -gt 1 ]; then arguments+=(--parallel); else arguments+=(-D "$work/head"); fi
    curl "${arguments[@]}" 2>/dev/null | while read -r index code status message; do
        if [ "$code" -eq 0 ]; then
            touch "$work/$index" "$work/head"
            [ "$method" = HEAD ] && : >"$work/$index"
            headers=$(tr -d '\r' <"$work/head" | jq -Rn '[inputs | capture("^(?<n>[^:\\s]+):\\s*(?<v>.*)$") | [.n, .v]]')
            base64 -w0 "$work/$index" >"$work/content"
            jq -n --arg step "$id" --argjson status "$status" --argjson headers "$headers" --rawfile body "$work/content" \
                '{step: $step, status: $status, headers: $headers, bodyBase64: $body}' | report
        else
            jq -n --arg step "$id" --arg error "$(failure "$code")" --arg detail "$code $message" \
                '{step: $step, error: $error, detail: $detail}' | report
        fi
    done
}

curl -sS "$MOCKAPI_URL/__contract/plan" | jq -c '.steps[]' | while IFS= read -r step; do take "$step" "$@" </dev/null; done
