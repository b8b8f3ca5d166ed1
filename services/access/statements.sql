-- name: audit
-- The newest entries; `before` goes on where a page ended.
SELECT toUnixTimestamp64Milli(at) AS at_ms, login, action, detail, address
FROM rollcall.access_audit
WHERE at < {before:DateTime64(3, 'UTC')} AND ({action:String} = '' OR action = {action:String})
ORDER BY at DESC
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: latest-change
-- When something was changed last, by whatever clock; 0 = never. One of the tables, by its name.
SELECT toUnixTimestamp64Milli(max(changed_at)) AS latest_ms
FROM
(
    SELECT changed_at FROM rollcall.access_people WHERE {table:String} = 'access_people' AND login = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_tokens WHERE {table:String} = 'access_tokens' AND id = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_views WHERE {table:String} = 'access_views' AND id = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_targets WHERE {table:String} = 'access_targets' AND metric = {key:String}
    UNION ALL
    SELECT changed_at FROM rollcall.access_notes WHERE {table:String} = 'access_notes' AND id = {key:String}
    UNION ALL
    SELECT ended_at FROM rollcall.access_session_ends WHERE {table:String} = 'access_session_ends' AND subject = {key:String}
)
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: notes
SELECT id, login, toString(day) AS day, team, text
FROM rollcall.access_notes FINAL
WHERE NOT is_removed
ORDER BY access_notes.day, id

-- name: people
SELECT login, role, names, user_id, password
FROM rollcall.access_people FINAL
WHERE NOT is_removed
ORDER BY login

-- name: session-ends
SELECT subject, toUnixTimestamp64Milli(max(ended_at)) AS ended_at_ms
FROM rollcall.access_session_ends
GROUP BY subject
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: targets
SELECT metric, value
FROM rollcall.access_targets FINAL
WHERE value > 0

-- name: tokens
SELECT
    id, name, sha256, role, names, user_id,
    toUnixTimestamp64Milli(created_at) AS created_at_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_at_ms,
    toUnixTimestamp64Milli(used_at) AS used_at_ms
FROM (SELECT * FROM rollcall.access_tokens FINAL WHERE NOT is_revoked) AS token
LEFT JOIN (SELECT id, max(used_at) AS used_at FROM rollcall.access_token_uses GROUP BY id) AS used ON used.id = token.id
ORDER BY created_at, id
SETTINGS output_format_json_quote_64bit_integers = 0, join_use_nulls = 0

-- name: users-by-email
-- Who may have this e-mail now. The Kelvin sign folds to a k here, so the caller compares as logins are compared.
SELECT user_id, ifNull(email, '') AS address, active
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE lowerUTF8(email) = {email:String} AND email != '' AND user_id != ''
LIMIT 100

-- name: views
SELECT id, login, name, path, query, is_offered
FROM rollcall.access_views FINAL
WHERE NOT is_removed
ORDER BY lowerUTF8(name), id

-- name: whole-teams
-- Teams of which everybody who is active is one of these people.
SELECT team
FROM (SELECT user_id, arrayJoin(teams) AS team FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) WHERE active)
GROUP BY team
HAVING countIf(user_id NOT IN {users:Array(String)}) = 0

-- name: first-event
SELECT toUnixTimestamp64Milli(min(event_time)) AS at FROM rollcall.event_rows WHERE type_number > 0
