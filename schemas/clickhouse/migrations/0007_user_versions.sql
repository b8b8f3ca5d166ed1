CREATE TABLE IF NOT EXISTS rollcall.user_versions
(
    user_id String COMMENT 'user.id as text',
    valid_from DateTime64(3, 'UTC') COMMENT 'From when; the epoch = since ever (the earliest observation reaches back)',
    valid_to DateTime64(3, 'UTC') COMMENT 'Until when, exclusive; 2200-01-01 = until further notice',
    active Bool COMMENT 'Neither deleted nor permanently deleted',
    is_deleted Bool COMMENT 'isDeleted',
    is_permanently_deleted Bool COMMENT 'isPermanentlyDeleted',
    teams Array(String) COMMENT 'Ids of groups',
    teams_seen_at DateTime64(3, 'UTC') COMMENT 'Time of the observation that says so; the epoch = none says anything',
    name String COMMENT 'Name; empty = unknown',
    email String COMMENT 'E-mail; empty = unknown',
    sign Int8 COMMENT '1 = this row holds, -1 = it takes back an equal row; sum(sign) counts',
    img UInt64 COMMENT 'Hash of the whole content'
)
ENGINE = VersionedCollapsingMergeTree(sign, img)
ORDER BY (user_id, valid_from)
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'People through time, signed'
