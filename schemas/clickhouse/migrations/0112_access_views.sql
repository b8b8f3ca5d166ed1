-- Pages with filters that people saved under a name: the newest row of an id holds. Few rows, read whole.
CREATE TABLE IF NOT EXISTS rollcall.access_views
(
    id String COMMENT 'Random',
    login String COMMENT 'Whose it is; empty where nobody signs in',
    name String COMMENT 'As its owner called it',
    path String COMMENT 'The page',
    query String COMMENT 'Its filters, as in its address',
    is_offered Bool COMMENT 'Whether everybody who may open the page is offered it',
    is_removed Bool COMMENT 'Whether it was deleted',
    changed_at DateTime64(3, 'UTC') COMMENT 'When this was said'
)
ENGINE = ReplacingMergeTree(changed_at)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Saved views of the dashboards'
