# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# The article page beside h2o, the fastest of the peers, over HTTP/1.1 and HTTP/2: the same bytes with the same field lines.

bench_h2o() {
    local peer=$scratch/h2o ours_pid ours_url peer_pid peer_url cost file=$scratch/h2o-page
    need h2o h2o
    mkdir "$peer"
    start_mockapi "$fixtures"
    ours_pid=$server_pid ours_url=$server_url
    curl -fsS -o "$peer/article" -D "$peer/article.head" "$ours_url$article"
    h2o_configuration "$peer" >"$peer/template"
    start_peer h2o "$peer/h2o.err" become_h2o "$peer"
    peer_pid=$server_pid peer_url=$server_url
    curl -fsS -o "$peer/again" -D "$peer/again.head" "$peer_url$article" || die "h2o did not answer $article"
    cmp -s "$peer/article" "$peer/again" || die "h2o answers $article with other bytes than mockapi"
    echo "answer:  article page, $(size "$peer/article") bytes; head $(size "$peer/article.head") bytes" \
        "(h2o $(size "$peer/again.head"))"

    print_comparison_head h2o
    say "… article page over HTTP/1.1"
    alternate "$file" "$ours_pid $ours_url$article" "$peer_pid $peer_url$article"
    cost=$(ratio "$file.1" "$file.2" 1)
    printf '%-26s %-22s %-22s %6s  %-26s %-26s %6s  %s\n' "article over HTTP/1.1" \
        "$(spread "$file.1" 1 %.2f)" "$(spread "$file.2" 1 %.2f)" "$cost" \
        "$(spread "$file.1" 2 %.0f)" "$(spread "$file.2" 2 %.0f)" "$(ratio "$file.1" "$file.2" 2)" \
        "$(median "$file.1" 3)/$(median "$file.2" 3)"
    bars+=("article page over HTTP/1.1: CPU per request at most 0.85 of h2o's: $cost$(verdict "$cost" at-most 0.85)")
    compare "article, 64 × 16 streams" "$ours_pid $ours_url$article -c 64 -m 16" "$peer_pid $peer_url$article -c 64 -m 16"
    bars+=("article page over HTTP/2: CPU per request at most 0.90 of h2o's: $cost$(verdict "$cost" at-most 0.90)")
    print_bars
    end_server "$ours_pid"
    end_server "$peer_pid"
}

# Writes the configuration of a server of one page; `@PORT@` stands for the port.
h2o_configuration() { # h2o_configuration DIRECTORY
    local user=''
    # As root it would become `nobody`, who may not read the scratch directory.
    [ "$EUID" -ne 0 ] || user='user: root'
    cat <<CONF
$user
num-threads: $loops
max-connections: 20000
http1-request-timeout: 3600
http2-idle-timeout: 3600
listen:
  host: 127.0.0.1
  port: @PORT@
hosts:
  default:
    paths:
      "${article%%\?*}":
        file.file: $1/article
        file.mime.setdefaulttype: "$(field "$1/article.head" content-type)"
$(extra_fields "$1/article.head" | sed -E 's/^ *add_header ([^ ]+) "(.*)";$/        header.add: "\1: \2"/')
CONF
}

become_h2o() { # become_h2o DIRECTORY PORT
    sed "s/@PORT@/$2/" "$1/template" >"$1/h2o.conf"
    exec taskset -c "$server_cores" h2o -m worker -c "$1/h2o.conf"
}
