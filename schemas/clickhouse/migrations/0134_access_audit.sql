CREATE TABLE IF NOT EXISTS rollcall.access_audit
(
    at DateTime64(3, 'UTC') COMMENT 'When',
    login String COMMENT 'Who: a login, token:<id>, or empty where nobody signs in; erased = a person whose data were erased',
    action LowCardinality(String) COMMENT 'What was done, such as sign_in or export',
    detail String COMMENT 'Of what: a path with its filters, a role, an id; never a name',
    address String COMMENT 'Network address of the request; empty = from the command line',
    keep_until DateTime COMMENT 'When the row goes'
)
ENGINE = MergeTree
ORDER BY at -- Its only reader lists the newest.
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who signed in, exported and changed what'
