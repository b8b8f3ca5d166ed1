-- All of them are kept: leaving out repeats would be wrong under late arrival.
CREATE TABLE IF NOT EXISTS rollcall.user_observations
(
    user_id String COMMENT 'user.id as text',
    observed_at DateTime64(3, 'UTC') COMMENT 'Event time, or when a pulled answer arrived',
    kind Enum8('event' = 0, 'pull' = 1) COMMENT 'At one instant a pull beats an event',
    observation_id UUID COMMENT 'Event id, or hash of the pulled item; breaks ties, the higher counts',
    is_deleted Nullable(Bool) COMMENT 'isDeleted, null = not said',
    is_permanently_deleted Nullable(Bool) COMMENT 'isPermanentlyDeleted, null = not said',
    has_teams Bool COMMENT 'Whether the observation says anything about teams',
    teams Array(LowCardinality(String)) COMMENT 'Ids of groups',
    has_managers Bool COMMENT 'Whether it says anything about managers',
    managers Array(String) COMMENT 'User ids of managers',
    has_direct_reports Bool COMMENT 'Whether it says anything about direct reports',
    direct_reports Array(String) COMMENT 'User ids of direct reports',
    name Nullable(String) COMMENT 'Name, null = not said',
    email Nullable(String) COMMENT 'E-mail, null = not said'
)
ENGINE = ReplacingMergeTree
ORDER BY (user_id, observed_at, kind, observation_id)
SETTINGS index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'What was said about people, when and by what'
