-- name: stored
-- Whether the engine knows a zone, and the rules of it that are in the store.
SELECT
    {zone:String} IN (SELECT time_zone FROM system.time_zones) AS is_known,
    (SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = concat('zone ', {zone:String})) AS rules

-- name: first-difference
-- The first UTC midnight from 2000 to 2050 at which the engine's clocks do not show what these rules say; 0: there is none.
WITH JSONExtract({rules:String}, 'Array(Array(Int64))') AS rules
SELECT min(midnight) AS at
FROM (SELECT arrayJoin(range(946684800, 2524608000, 86400)) AS midnight)
WHERE toUnixTimestamp(toDateTime(toString(toDateTime(midnight, {zone:String})), 'UTC'))
    != midnight + intDiv(transform(roundDown(toInt64(midnight) * 1000, rules[1]), rules[1], rules[2]), 1000)
