-- The analysts' contract: guides as last pulled from the platform. Empty until guides are pulled.
CREATE OR REPLACE VIEW rollcall.guides
(
    guide_id String COMMENT 'Id of the guide',
    title Nullable(String) COMMENT 'Title; null = unknown',
    tasks UInt32 COMMENT 'Number of tasks',
    test_questions UInt32 COMMENT 'Number of test questions',
    tags Array(String) COMMENT 'Tags',
    created_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was created',
    updated_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was last changed',
    observed_at DateTime64(3, 'UTC') COMMENT 'When the platform reported it'
) AS
SELECT
    guide_id,
    nullIf(title, '') AS title,
    tasks,
    test_questions,
    tags,
    nullIf(created_at, toDateTime64(0, 3, 'UTC')) AS created_at,
    nullIf(updated_at, toDateTime64(0, 3, 'UTC')) AS updated_at,
    observed_at
FROM rollcall.guide_rows FINAL
COMMENT 'Guides as last pulled from the platform'
