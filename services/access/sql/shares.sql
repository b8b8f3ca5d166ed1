-- Share links that were not taken back, with how often each was opened; also those whose time is over, for as long as they are kept.
SELECT
    share.id AS id, sha256, path, query, names, files, login, role, email, said_role, said_user_id,
    toUnixTimestamp64Milli(created_at) AS created_at_ms,
    toUnixTimestamp64Milli(expires_at) AS expires_at_ms,
    opens.n AS opened,
    toUnixTimestamp64Milli(opens.last) AS opened_at_ms
FROM (SELECT * FROM rollcall.access_shares FINAL WHERE NOT is_revoked) AS share
LEFT JOIN (SELECT id, sum(opened) AS n, max(opened_at) AS last FROM rollcall.access_share_opens GROUP BY id) AS opens ON opens.id = share.id
ORDER BY created_at DESC, id
SETTINGS output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
