-- SPDX-License-Identifier: Apache-2.0
-- Copyright the mockapi authors
--
-- Asks COUNT different targets, PREFIX and a number of six digits below RANGE, in random order, round and round.
-- Arguments after `--`: PREFIX COUNT RANGE. Every request is laid out before the load begins: a request costs the load
-- one table look-up.

local threads = 0

function setup(thread)
    threads = threads + 1
    thread:set("seed", threads)
end

local function shuffle(list)
    for i = #list, 2, -1 do
        local j = math.random(i)
        list[i], list[j] = list[j], list[i]
    end
end

local requests = {}
local next_request = 0

function init(arguments)
    local prefix, count, range = arguments[1], tonumber(arguments[2]), tonumber(arguments[3])
    -- The same targets for every thread, in an order of its own.
    math.randomseed(20261120)
    local numbers = {}
    for number = 0, range - 1 do numbers[number + 1] = number end
    shuffle(numbers)
    for i = 1, count do
        requests[i] = wrk.format("GET", string.format("%s%06d", prefix, numbers[i]))
    end
    math.randomseed(seed)
    shuffle(requests)
end

function request()
    next_request = next_request % #requests + 1
    return requests[next_request]
end
