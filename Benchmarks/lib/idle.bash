# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# What idle connections cost, and whether a request among them is answered.

bench_idle() {
    local peer=$scratch/idle
    mkdir "$peer"
    cp "$fixtures/api/contents/domain-5.json" "$peer/article"
    nginx_configuration "$peer" >"$peer/template" <<CONF
location = ${article%%\?*} { alias $peer/article; default_type application/vnd.api+json; }
CONF
    echo
    echo "Memory of $idle_connections idle keep-alive connections, each after one request for the article page"
    printf '%-10s %16s %16s %16s %22s %14s\n' case 'KiB before' 'KiB after' 'bytes each' 'new connection ms' 'still alive'
    say "… idle connections"
    start_mockapi "$fixtures"
    idle_row mockapi
    start_nginx "$peer" "$peer/template"
    idle_row nginx
}

idle_row() { # idle_row NAME
    local -a pids figures
    mapfile -t pids < <(processes "$server_pid")
    taskset -c "$load_cores" python3 "$here/lib/idle.py" "$idle_connections" "${server_url##*:}" "$article" "${pids[@]}" \
        >"$scratch/idle.out" || die "$1 did not hold $idle_connections idle connections"
    read -ra figures <"$scratch/idle.out"
    printf '%-10s %16s %16s %16s %22s %14s\n' "$1" "${figures[1]}" "${figures[2]}" \
        "$(((figures[2] - figures[1]) * 1024 / figures[0]))" "${figures[3]}" "${figures[4]}"
    end_server "$server_pid"
}
