-- name: zones
-- Zones that the engine knows.
SELECT time_zone AS zone FROM system.time_zones

-- name: zone-days
-- When the days from the first to before the last one begin, epoch seconds.
SELECT arrayMap(day -> toUnixTimestamp(toDateTime(toDate(toUInt16(day)), {zone:String})), range({first:UInt16}, {last:UInt16})) AS starts
