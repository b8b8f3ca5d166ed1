-- Links to one page, for people without sign-in: the newest row of an id holds. Only hashes of links. What a link shows is decided when it is
-- opened, from who made it: so the row keeps what her sign-in last said of her.
CREATE TABLE IF NOT EXISTS rollcall.access_shares
(
    id String COMMENT 'First digits of the hash',
    sha256 String COMMENT 'SHA-256 of the token in the link, in hex',
    path String COMMENT 'The page',
    query String COMMENT 'Its filters, as in its address',
    names Bool COMMENT 'Whether it shows names and e-mails, if who made it may see them',
    files Bool COMMENT 'Whether it offers the files of the page',
    login String COMMENT 'Who made it; empty where nobody signs in',
    role LowCardinality(String) COMMENT 'Role of who made it, then: the link never shows more',
    email String COMMENT 'Verified e-mail of who made it, as the last sign-in said; empty = none',
    said_role LowCardinality(String) COMMENT 'Role by groups of who made it, as the last sign-in said; empty = none',
    said_user_id String COMMENT 'Id at the platform of who made it, as the last sign-in said; empty = found by e-mail',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made',
    expires_at DateTime64(3, 'UTC') COMMENT 'From when it opens nothing',
    is_revoked Bool COMMENT 'Whether it was taken back',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
TTL toDateTime(expires_at) + INTERVAL 31 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Share links of the dashboards'
