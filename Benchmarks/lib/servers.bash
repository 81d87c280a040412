# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# Starts the two servers on the cores kept for them, and ends what it started.

started=()

end_everything() {
    local status=$? pid
    trap - EXIT
    for pid in "${started[@]}"; do end_process "$pid"; done
    rm -rf "$scratch"
    exit "$status"
}

end_server() { # end_server PID
    local pid kept=()
    end_process "$1"
    for pid in "${started[@]}"; do [ "$pid" = "$1" ] || kept+=("$pid"); done
    started=("${kept[@]}")
}

# Asks a process to end, and kills it when it has not within 10 s.
end_process() { # end_process PID
    local tries
    kill "$1" 2>/dev/null || true
    for tries in {1..100}; do
        kill -0 "$1" 2>/dev/null || break
        sleep 0.1
    done
    if kill -9 "$1" 2>/dev/null; then say "note: process $1 did not end within 10 s and was killed"; fi
    wait "$1" 2>/dev/null || true
}

# Sets `server_pid` and `server_url`.
start_mockapi() { # start_mockapi DIRECTORY [serve arguments…]
    local log tries
    log=$(mktemp "$scratch/mockapi.XXXXXX")
    taskset -c "$server_cores" "$mockapi" serve "$@" --port 0 --loops "$loops" --quiet >"$log" 2>"$log.err" &
    server_pid=$!
    started+=("$server_pid")
    for tries in {1..600}; do
        server_url=$(sed -n 's/^listening on \(http:[^ ]*\).*/\1/p' "$log")
        if [ -n "$server_url" ]; then
            server_url=${server_url%/}
            return 0
        fi
        kill -0 "$server_pid" 2>/dev/null || break
        sleep 0.1
    done
    tail -n 20 "$log.err" >&2
    die "$mockapi did not start on $1 within 60 s; what it said is above"
}

# A port below the ephemeral range that nothing answers on.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 10000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

# Writes the configuration of a peer whose server block holds what stdin says; `@PORT@` stands for the port.
nginx_configuration() { # nginx_configuration DIRECTORY [HTTP-LINES-FILE]
    local user=''
    # As root, workers would become `nobody`, who may not read the scratch directory.
    [ "$EUID" -ne 0 ] || user='user root;'
    cat <<CONF
$user
daemon off;
worker_processes $loops;
worker_rlimit_nofile $(ulimit -Hn | sed 's/unlimited/65536/');
pid $1/nginx.pid;
error_log stderr crit;
events { worker_connections 20000; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=2000 inactive=1h;
    open_file_cache_valid 1h;
    keepalive_timeout 1h;
    keepalive_requests 1000000000;
    client_body_temp_path $1/t1;
    proxy_temp_path $1/t2;
    fastcgi_temp_path $1/t3;
    uwsgi_temp_path $1/t4;
    scgi_temp_path $1/t5;
    ${2:+include $2;}
    server {
        listen 127.0.0.1:@PORT@ backlog=4096;
$(sed 's/^/        /')
    }
}
CONF
}

# Starts a peer on a port of its own; FUNCTION becomes the server, with the port as its last argument. Sets `server_pid` and `server_url`.
start_peer() { # start_peer NAME ERRORS FUNCTION [ARGUMENT…]
    local name=$1 errors=$2 port tries
    shift 2
    for tries in {1..5}; do
        port=$(free_port)
        "$@" "$port" >/dev/null 2>"$errors" &
        server_pid=$!
        started+=("$server_pid")
        server_url=http://127.0.0.1:$port
        if answers "$server_pid" "$port"; then return 0; fi
        end_server "$server_pid"
    done
    cat "$errors" >&2
    die "$name did not start; what it said is above"
}

start_nginx() { # start_nginx DIRECTORY CONFIGURATION-TEMPLATE
    start_peer nginx "$1/nginx.err" become_nginx "$1" "$2"
}

become_nginx() { # become_nginx DIRECTORY CONFIGURATION-TEMPLATE PORT
    sed "s/@PORT@/$3/" "$2" >"$1/nginx.conf"
    exec taskset -c "$server_cores" "$nginx" -p "$1" -c "$1/nginx.conf"
}

# Waits until PORT takes connections; fails when PID ends first.
answers() { # answers PID PORT
    local tries
    for tries in {1..600}; do
        kill -0 "$1" 2>/dev/null || return 1
        (exec 3<>"/dev/tcp/127.0.0.1/$2") 2>/dev/null && return 0
        sleep 0.1
    done
    return 1
}
