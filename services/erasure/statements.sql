-- name: audited-details
-- Details of the audit that hold one of the logins or names, also in an address, as hashes. A short name counts where it is a whole value.
SELECT DISTINCT hex(SHA256(detail)) AS id
FROM rollcall.access_audit
WHERE arrayExists(text -> positionCaseInsensitiveUTF8(concat(detail, '\n', decodeURLFormComponent(detail)), text) > 0, {texts:Array(String)})
    OR hasAny(arrayMap(value -> lowerUTF8(decodeURLFormComponent(value)), splitByRegexp('[?&=]', detail)), {short:Array(String)})

-- name: bodies-by-id
SELECT replaceAll(toString(event_id), '-', '') AS eventId, base64Encode(body) AS body
FROM rollcall.event_bodies
WHERE event_id IN {ids:Array(UUID)}

-- name: bodies-to-read
-- Bodies that may name a person: of their events, of events that list them as a manager or report, and those that match.
SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS eventId
FROM rollcall.event_bodies
WHERE event_id IN (SELECT event_id FROM rollcall.event_rows WHERE user_id = {user:String})
    OR event_id IN (
        SELECT observation_id FROM rollcall.user_observations
        WHERE user_id = {user:String} OR has(managers, {user:String}) OR has(direct_reports, {user:String})
    )
    OR match(body, {pattern:String})

-- name: collapse-versions
-- Rows that were taken back are then gone from the table, not only from the sums.
OPTIMIZE TABLE rollcall.user_versions FINAL

-- name: erasures
SELECT
    user_id AS userId,
    groupUniqArrayArray(email_hashes) AS emailHashes,
    groupUniqArrayArray(arrayZip(mapKeys(titles), mapValues(titles))) AS titles,
    toUInt8(max(is_finished)) AS isFinished
FROM rollcall.erasures
GROUP BY user_id

-- name: failed-events-by-id
SELECT
    replaceAll(toString(event_id), '-', '') AS eventId,
    toUnixTimestamp64Milli(received_at) AS receivedAt,
    source,
    reasons,
    log_partition AS partition,
    log_offset AS offset,
    base64Encode(body) AS body,
    toUnixTimestamp64Milli(erased_at) AS erasedAt
-- Not FINAL: of a row that was replaced by a clean one the other may still be there.
FROM rollcall.failed_event_rows
WHERE event_id IN {ids:Array(UUID)}
-- Of several deliveries the first is the one to keep, and comes last.
ORDER BY log_offset DESC
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: failed-events-to-read
SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS eventId
FROM rollcall.failed_event_rows
WHERE match(body, {pattern:String})

-- name: forget-audited
-- The act stays; who did it, or to whose login, does not. By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.access_audit
    UPDATE
        login = if(hex(SHA256(login)) IN {hashes:Array(String)}, 'erased', login),
        detail = if(hex(SHA256(detail)) IN {details:Array(String)}, 'erased', detail)
    WHERE hex(SHA256(login)) IN {hashes:Array(String)} OR hex(SHA256(detail)) IN {details:Array(String)}
    SETTINGS mutations_sync = 2

-- name: forget-bodies
ALTER TABLE rollcall.event_bodies
    DELETE WHERE event_id IN {ids:Array(UUID)}
    SETTINGS mutations_sync = 2

-- name: forget-failed-events
ALTER TABLE rollcall.failed_event_rows
    DELETE WHERE event_id IN {ids:Array(UUID)} AND erased_at < {at:DateTime64(3, 'UTC')}
    SETTINGS mutations_sync = 2

-- name: forget-guide-titles
ALTER TABLE rollcall.guide_rows
    UPDATE
        title = transform(hex(SHA256(title)), {hashes:Array(String)}, {left:Array(String)}, title),
        tags = arrayMap(tag -> transform(hex(SHA256(toString(tag))), {hashes:Array(String)}, {left:Array(String)}, toString(tag)), tags)
    WHERE hex(SHA256(title)) IN {hashes:Array(String)} OR arrayExists(tag -> hex(SHA256(toString(tag))) IN {hashes:Array(String)}, tags)
    SETTINGS mutations_sync = 2

-- name: forget-names
-- materialize(): a literal NULL would only mark the text as NULL and leave it in the column.
ALTER TABLE rollcall.user_observations
    UPDATE name = materialize(CAST(NULL AS Nullable(String))), email = materialize(CAST(NULL AS Nullable(String))),
        has_attributes = false, attributes = mapFilter((attribute, _) -> false, attributes)
    WHERE user_id = {user:String} AND (assumeNotNull(name) != '' OR assumeNotNull(email) != '' OR has_attributes)
    SETTINGS mutations_sync = 2

-- name: forget-records
-- By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.records
    DELETE WHERE hex(cityHash64(kind, key, claim, version, changed_at)) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2

-- name: forget-titles
-- By hash, because the engine keeps the text of a mutation in a file.
ALTER TABLE rollcall.names
    DELETE WHERE hex(SHA256(name)) IN {hashes:Array(String)}
    SETTINGS mutations_sync = 2

-- name: known-identifiers
-- By what a person was called in anything that is kept.
SELECT arrayDistinct(arrayFilter(text -> text != '', groupArrayArray([ifNull(name, ''), ifNull(email, '')]))) AS texts,
    arrayFilter(text -> text != '', groupUniqArray(ifNull(email, ''))) AS emails,
    count() AS observations,
    countIf(name IS NOT NULL OR email IS NOT NULL OR has_attributes) AS identifying
FROM rollcall.user_observations
WHERE user_id = {user:String}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: known-titles
-- Every text beside raw bodies in which a person may be named.
SELECT DISTINCT arrayJoin(texts) AS text
FROM
(
    SELECT [name] AS texts FROM rollcall.names
    UNION ALL
    SELECT arrayConcat([title], CAST(tags AS Array(String))) FROM rollcall.guide_rows
)
WHERE text != ''

-- name: names-by-hash
SELECT kind, id, name, toUnixTimestamp64Milli(counts_from) AS counts_from, toUnixTimestamp64Milli(max(last_seen)) AS last_seen
FROM rollcall.names
WHERE hex(SHA256(name)) IN {hashes:Array(String)}
GROUP BY kind, id, name, counts_from
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: old-parts
SELECT count() AS parts
FROM system.parts
WHERE database = 'rollcall' AND NOT active
    AND table IN ('event_bodies', 'failed_event_rows', 'user_observations', 'user_versions', 'names', 'guide_rows', 'records', 'access_audit')
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: record-rows
-- Every row of a kind, replaced ones too.
SELECT key, claim, version, value, toUnixTimestamp64Milli(changed_at) AS changed_at_ms, toUnixTimestamp(keep_until) AS keep_until,
    hex(cityHash64(kind, key, claim, version, changed_at)) AS hash
FROM rollcall.records
WHERE kind = {kind:String}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: remove-old-parts
-- Replaced parts stay on disk until the engine cleans up, in its own time; this makes it do so now.
SYSTEM START CLEANUP

-- name: same-email
-- Other people who have one of these e-mails.
SELECT DISTINCT user_id AS userId
FROM rollcall.user_observations
WHERE lowerUTF8(email) IN {emails:Array(String)} AND user_id != {user:String}
ORDER BY userId
LIMIT 100

-- name: what-is-left
SELECT
    (SELECT count() FROM rollcall.user_observations WHERE user_id = {user:String} AND (assumeNotNull(name) != '' OR assumeNotNull(email) != '' OR has_attributes))
    + (SELECT count() FROM rollcall.user_versions WHERE user_id = {user:String} AND (name != '' OR email != '' OR notEmpty(attributes))) AS rows
SETTINGS output_format_json_quote_64bit_integers = 0
