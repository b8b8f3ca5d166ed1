-- A view is replaced only when it differs: at a start that changes nothing, nothing is written. The engine keeps a view in
-- its own words, so what it made of our text is remembered beside the text.
CREATE TABLE IF NOT EXISTS rollcall.view_texts
(
    name String COMMENT 'Name of the view',
    checksum String COMMENT 'SHA-256 of the statement that created it',
    stored_hash String COMMENT 'Hash of the view as the engine keeps it',
    replaced_at DateTime64(3, 'UTC') COMMENT 'When it was created or replaced'
)
ENGINE = ReplacingMergeTree(replaced_at)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1
COMMENT 'From which text every view was created'
