-- Who reports to whom through time. A pair that was ever named has versions from since ever until further notice, also for
-- when the link was not there: so it is known that the pair exists, and from when on something is known about it.
CREATE TABLE IF NOT EXISTS rollcall.link_versions
(
    manager_id String COMMENT 'user.id of the manager as text',
    report_id String COMMENT 'user.id of the report as text',
    valid_from DateTime64(3, 'UTC') COMMENT 'From when; the epoch = since ever (the earliest statement reaches back)',
    valid_to DateTime64(3, 'UTC') COMMENT 'Until when, exclusive; 2200-01-01 = until further notice',
    is_there Bool COMMENT 'Whether the one reports to the other, directly',
    stated_at DateTime64(3, 'UTC') COMMENT 'Time of the earliest statement about the pair; before it, it reaches back',
    sign Int8 COMMENT '1 = this row holds, -1 = it takes back an equal row; sum(sign) counts',
    img UInt64 COMMENT 'Hash of the whole content'
)
ENGINE = VersionedCollapsingMergeTree(sign, img)
ORDER BY (manager_id, report_id, valid_from)
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who reports to whom through time, signed'
