-- The analysts' contract: who was assigned which guide, as last pulled from the platform. Empty until guides are pulled.
CREATE OR REPLACE VIEW rollcall.guide_assignments
(
    assignment_id String COMMENT 'Id of the guide assignment',
    guide_id String COMMENT 'Id of the guide',
    user_id Nullable(String) COMMENT 'Id of the person; null = unknown',
    status Nullable(String) COMMENT 'Status as sent; null = unknown',
    completed Bool COMMENT 'Completed',
    archived Bool COMMENT 'Archived',
    deleted Bool COMMENT 'Deleted, if the platform reported it',
    passed Nullable(Bool) COMMENT 'Passed; null = unknown',
    completion_percentage Nullable(Float64) COMMENT 'Percentage complete as sent',
    score Nullable(Float64) COMMENT 'Score as sent',
    created_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was assigned',
    updated_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was last changed',
    due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'When it is due',
    completed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it was completed',
    observed_at DateTime64(3, 'UTC') COMMENT 'When the platform reported it'
) AS
SELECT
    assignment_id,
    guide_id,
    nullIf(user_id, '') AS user_id,
    nullIf(status, '') AS status,
    is_completed AS completed,
    is_archived AS archived,
    is_deleted AS deleted,
    passed,
    completion_percentage,
    score,
    nullIf(created_at, toDateTime64(0, 3, 'UTC')) AS created_at,
    nullIf(updated_at, toDateTime64(0, 3, 'UTC')) AS updated_at,
    nullIf(due_date, toDateTime64(0, 3, 'UTC')) AS due_date,
    nullIf(completed_at, toDateTime64(0, 3, 'UTC')) AS completed_at,
    observed_at
FROM rollcall.guide_assignment_rows FINAL
COMMENT 'Assignments of guides as last pulled from the platform'
