# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# What the worst input of a grammar of patterns, templates and documents costs.

bench_hostile() {
    local worst name limit unit
    echo
    echo "Hostile input: $hostile_inputs patterns, each put to seven parts of a request, as many templates, and nine times as many others of heads, parts, documents and uses of a request"
    say "… hostile"
    # It ends with 1 where a bar of its own is missed; the lines above the bars say which.
    "$package/Tests/Hostile/run" "$mockapi" --brief --generated "$hostile_inputs" >"$scratch/hostile" || true
    sed '/^worst /d' "$scratch/hostile"
    while IFS='|' read -r name limit unit; do
        worst=$(sed -n "s/^worst $name: \\([0-9.]*\\) .*/\\1/p" "$scratch/hostile")
        [ -n "$worst" ] || { echo "hostile: nothing was measured of $name" >&2; return 1; }
        bars+=("$unit at most $limit: $worst$(verdict "$worst" at-most "$limit")$(sed -n "s/^worst $name: [0-9.]* \\(.*\\)/ \\1/p" "$scratch/hostile")")
    done <<'BARS'
CPU s|0.5|seconds of CPU for an input
others 99 %, ms|50|milliseconds that 99 % of others wait
MiB, peak|64|MiB more than the stubs take
CPU s, left|0.15|seconds of CPU in the second after a client has left
stop, s|5.5|seconds until SIGTERM ends it with eight inputs under way
BARS
    worst=$(sed -n 's/^held$/0/p; s/^\([0-9]*\) missed$/\1/p' "$scratch/hostile")
    [ -n "$worst" ] || { tail -n 5 "$scratch/hostile" >&2; return 1; }
    bars+=("no input that is slow, dear or not answered: $worst$(verdict "$worst" at-most 0)")
    print_bars
}
