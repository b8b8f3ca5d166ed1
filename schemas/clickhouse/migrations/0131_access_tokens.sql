-- API tokens for scripts: the newest row of an id holds. Only hashes.
CREATE TABLE IF NOT EXISTS rollcall.access_tokens
(
    id String COMMENT 'First digits of the hash',
    name String COMMENT 'What it is for',
    sha256 String COMMENT 'SHA-256 of the token, in hex',
    role LowCardinality(String) COMMENT 'owner, analyst, manager or viewer',
    names Bool COMMENT 'Whether it reads names and e-mails',
    user_id String COMMENT 'Of a manager: id at the platform',
    created_at DateTime64(3, 'UTC') COMMENT 'When it was made',
    expires_at DateTime64(3, 'UTC') COMMENT 'From when it is refused',
    is_revoked Bool COMMENT 'Whether it was taken back',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said',
    changed_by String COMMENT 'Who said it'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'API tokens of the dashboards'
