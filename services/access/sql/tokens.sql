SELECT
    id, name, sha256, role, names, user_id,
    toUnixTimestamp64Milli(created_at) AS created_at_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_at_ms,
    toUnixTimestamp64Milli(used_at) AS used_at_ms
FROM (SELECT * FROM rollcall.access_tokens FINAL WHERE NOT is_revoked) AS token
LEFT JOIN (SELECT id, max(used_at) AS used_at FROM rollcall.access_token_uses GROUP BY id) AS used ON used.id = token.id
ORDER BY created_at, id
SETTINGS output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
