-- SPDX-License-Identifier: Apache-2.0
-- Copyright the mockapi authors
--
-- POSTs JSON that names one of COUNT operations, in random order: `wrk -s bodies.lua URL -- TARGET COUNT`.

local head = {["Content-Type"] = "application/json"}
local target, count

function init(arguments)
    target, count = arguments[1], tonumber(arguments[2])
    math.randomseed(7)
end

function request()
    local number = math.random(0, count - 1)
    local body = string.format('{"operation": {"name": "op-%06d", "version": 1}, "items": [1, 2, 3]}', number)
    return wrk.format("POST", target, head, body)
end
