-- Everything small that people and processes change.

-- Of the rows of a kind and key the one with the highest version holds; of two with the same, the earlier one.
CREATE TABLE IF NOT EXISTS rollcall.records
(
    kind LowCardinality(String) COMMENT 'What it is, such as person, token or note',
    key String COMMENT 'Which one: a login or an id',
    claim String COMMENT 'Which attempt wrote the row, random; empty = a write that replaces whatever is there',
    version UInt64 COMMENT 'Counts the changes of the key, from 1; 0 = the row was withdrawn',
    value String COMMENT 'JSON; empty = removed',
    changed_at DateTime64(3, 'UTC') COMMENT 'When it was written, never earlier than the row before',
    keep_until DateTime COMMENT 'When the row goes; 2106 = never'
)
ENGINE = ReplacingMergeTree(changed_at)
PARTITION BY kind -- The snapshot of analysts' statements takes only the kinds of their views.
ORDER BY (kind, key, claim)
TTL keep_until
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Small records of people and processes: logins, tokens, notes and what was claimed';

-- Who did what. Append only.
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
COMMENT 'Who signed in, exported and changed what';
