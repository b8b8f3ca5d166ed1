-- Whose personal data have been taken out, so that nothing that comes later, or again, brings them back.
CREATE TABLE IF NOT EXISTS rollcall.erasures
(
    user_id String COMMENT 'user.id as text',
    erased_at DateTime64(3, 'UTC') COMMENT 'When it was asked for',
    email_hashes Array(FixedString(64)) COMMENT 'SHA-256, in hexadecimal, of each e-mail in lower case: by which text without an id is recognised'
)
ENGINE = ReplacingMergeTree(erased_at)
ORDER BY (user_id, erased_at)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'People whose personal data have been erased'
