-- name: rows
-- The rows of one key. The first one with a version holds.
SELECT claim, version, value, toUnixTimestamp64Milli(changed_at) AS changed_at_ms
FROM rollcall.records FINAL
WHERE kind = {kind:String} AND key = {key:String} AND keep_until > {now:UInt32}
ORDER BY version DESC, changed_at, claim
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: write-claim
-- On most replicas when it returns. Without replicas the settings change nothing.
INSERT INTO rollcall.records (kind, key, claim, version, value, changed_at, keep_until)
SETTINGS insert_quorum = 'auto', insert_quorum_parallel = 0
VALUES ({kind:String}, {key:String}, {claim:String}, {version:UInt64}, {value:String}, {changed_at:DateTime64(3, 'UTC')}, {keep_until:UInt32})

-- name: list
-- The row that holds of each key, latest changes first.
SELECT key, version, value, toUnixTimestamp64Milli(changed_at) AS changed_at_ms
FROM
(
    SELECT key, version, value, changed_at
    FROM rollcall.records FINAL
    WHERE kind = {kind:String} AND startsWith(key, {prefix:String}) AND (empty({keys:Array(String)}) OR key IN {keys:Array(String)})
        AND version > 0 AND keep_until > {now:UInt32}
    ORDER BY version DESC, changed_at, claim
    LIMIT 1 BY key
)
WHERE value != '' AND changed_at >= {from:DateTime64(3, 'UTC')}
ORDER BY changed_at DESC, key
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: claims
-- The last word of every claim, latest first.
SELECT key, claim, value, toUnixTimestamp64Milli(changed_at) AS changed_at_ms
FROM rollcall.records FINAL
WHERE kind = {kind:String} AND startsWith(key, {prefix:String}) AND (empty({keys:Array(String)}) OR key IN {keys:Array(String)})
    AND version > 0 AND keep_until > {now:UInt32} AND changed_at >= {from:DateTime64(3, 'UTC')}
ORDER BY changed_at DESC, key, claim
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0
