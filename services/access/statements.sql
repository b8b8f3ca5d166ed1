-- name: audit
SELECT toUnixTimestamp64Milli(at) AS at_ms, login, action, detail, address
FROM rollcall.access_audit
WHERE at < {before:DateTime64(3, 'UTC')}
ORDER BY at DESC
LIMIT {limit:UInt32}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: users-by-email
-- Who may have this e-mail now. The Kelvin sign folds to a k here, so the caller compares as logins are compared.
SELECT user_id, ifNull(email, '') AS address, active
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE lowerUTF8(email) = {email:String} AND email != '' AND user_id != ''
LIMIT 100

-- name: whole-teams
-- Teams of which everybody who is active is one of these people.
SELECT team
FROM (SELECT user_id, arrayJoin(teams) AS team FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) WHERE active)
GROUP BY team
HAVING countIf(user_id NOT IN {users:Array(String)}) = 0
