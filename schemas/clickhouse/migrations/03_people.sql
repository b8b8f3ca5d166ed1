-- People through time, and the erasure of their data.

-- All of them are kept: leaving out repeats would be wrong under late arrival.
CREATE TABLE IF NOT EXISTS rollcall.user_observations
(
    user_id String COMMENT 'user.id as text' CODEC(ZSTD(1)),
    id_is_number Bool COMMENT 'Whether user.id was sent as a JSON number: ids go out as they come' CODEC(ZSTD(1)),
    observed_at DateTime64(3, 'UTC') COMMENT 'Event time, or when a pulled answer arrived' CODEC(T64, ZSTD(1)),
    kind Enum8('event' = 0, 'pull' = 1) COMMENT 'At one instant a pull beats an event',
    observation_id UUID COMMENT 'Event id, or hash of the pulled item; breaks ties, the higher counts',
    is_deleted Nullable(Bool) COMMENT 'isDeleted, null = not said',
    is_permanently_deleted Nullable(Bool) COMMENT 'isPermanentlyDeleted, null = not said',
    has_teams Bool COMMENT 'Whether the observation says anything about teams',
    teams Array(LowCardinality(String)) COMMENT 'Ids of groups' CODEC(ZSTD(1)),
    has_managers Bool COMMENT 'Whether it says anything about managers',
    managers Array(String) COMMENT 'User ids of managers' CODEC(ZSTD(1)),
    has_direct_reports Bool COMMENT 'Whether it says anything about direct reports',
    direct_reports Array(String) COMMENT 'User ids of direct reports' CODEC(ZSTD(1)),
    name Nullable(String) COMMENT 'Name, null = not said' CODEC(ZSTD(1)),
    email Nullable(String) COMMENT 'E-mail, null = not said' CODEC(ZSTD(1)),
    has_attributes Bool COMMENT 'Whether it says anything about attributes, while some are allowed',
    attributes Map(LowCardinality(String), String) COMMENT 'Custom attributes by name, of those allowed when it was stored' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
ORDER BY (user_id, observed_at, kind, observation_id)
SETTINGS merge_selector_base = 12, index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'What was said about people, when and by what';

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
    attributes Map(LowCardinality(String), String) COMMENT 'Custom attributes by name',
    attributes_seen_at DateTime64(3, 'UTC') COMMENT 'Time of the observation that says so; the epoch = none says anything',
    sign Int8 COMMENT '1 = this row holds, -1 = it takes back an equal row; sum(sign) counts',
    img UInt64 COMMENT 'Hash of the whole content'
)
ENGINE = VersionedCollapsingMergeTree(sign, img)
ORDER BY (user_id, valid_from)
SETTINGS merge_selector_base = 12, index_granularity = 512, enable_block_number_column = 1, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'People through time, signed';

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
SETTINGS merge_selector_base = 12, index_granularity = 512, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Who reports to whom through time, signed';

-- Whose personal data have been taken out, so that nothing that comes later, or again, brings them back.
CREATE TABLE IF NOT EXISTS rollcall.erasures
(
    user_id String COMMENT 'user.id as text',
    erased_at DateTime64(3, 'UTC') COMMENT 'When it was asked for',
    email_hashes Array(FixedString(64)) COMMENT 'SHA-256, in hexadecimal, of each e-mail in lower case: by which text without an id is recognised',
    titles Map(String, String) COMMENT 'Titles and names of teams that held the name: SHA-256, in hexadecimal, of each in lower case, and the text without the name',
    is_finished Bool COMMENT 'Whether everything stored before was cleaned; without such a row the next embedded start finishes the erasure'
)
ENGINE = ReplacingMergeTree(erased_at)
ORDER BY (user_id, erased_at)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'People whose personal data have been erased';
