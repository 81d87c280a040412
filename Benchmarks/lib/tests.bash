# SPDX-License-Identifier: Apache-2.0
# Copyright the mockapi authors
#
# What a server for each test costs.

bench_tests() {
    echo
    echo "A server for each test: the sample fixtures loaded, a request answered, verified and stopped"
    say "… tests"
    build_program mockapi-server-per-test
    "$program" "$fixtures" "$test_servers" | tee "$scratch/tests"
    local time
    time=$(sed -n 's/.*one after the other: \([0-9.]*\) ms.*/\1/p' "$scratch/tests")
    bars+=("a server for a test within 5 ms: $time ms$(verdict "$time" at-most 5)")
    print_bars
}
