# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# What ordinary requests wait for while other clients abuse the server by all means at once.

bench_abuse() {
    local directory=$scratch/abuse
    local -a figures
    # Files that are served stay open, once for each loop.
    local files=3
    # Both are measured on all processors: a large body is matched beside the loops, and that is to be seen.
    local server_cores loops
    server_cores=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
    loops=$(nproc)
    echo
    echo "Ordinary requests, every 20 ms of each kind, while the server is abused by all means at once for $abuse_seconds s"
    say "… abuse"
    build_program mockapi-abuse
    mkdir "$directory"
    "$program" write "$directory"
    # The development authority of this machine is left alone.
    XDG_STATE_HOME=$scratch/state start_mockapi "$directory" --watch
    "$program" run "${server_url##*:}" "$server_pid" "$directory" "$abuse_seconds" | tee "$scratch/abuse.out" | sed '/^figures /d'
    read -ra figures <<<"$(sed -n 's/^figures //p' "$scratch/abuse.out")"
    end_server "$server_pid"
    bars+=("99th percentile of ordinary requests under 50 ms: ${figures[0]} ms$(verdict "${figures[0]}" at-most 50)")
    bars+=("no more than 256 MiB resident: ${figures[1]} MiB$(verdict "${figures[1]}" at-most 256)")
    bars+=("descriptors fall back to ${figures[2]}: ${figures[3]}$(verdict "${figures[3]}" at-most "$((figures[2] + files * loops))")")
    bars+=("processors fall back to ${figures[4]}: ${figures[5]}$(verdict "${figures[5]}" at-most "$(awk -v load="${figures[4]}" 'BEGIN { print load + 0.02 }')")")
    bars+=("no answer wrong or unexpected: ${figures[6]}$(verdict "${figures[6]}" at-most 0)")
    print_bars
}
