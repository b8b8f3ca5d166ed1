-- Findings of reconciliation; readers sort them newest first. Not part of the analysts' contract yet.
CREATE OR REPLACE VIEW rollcall.drift_report
(
    found_at DateTime64(3, 'UTC') COMMENT 'When the platform had answered',
    assignment_id String COMMENT 'challengeAssignment.id',
    user_id Nullable(String) COMMENT 'user.id as text',
    challenge_id Nullable(String) COMMENT 'Challenge',
    kind String COMMENT 'missing: the platform has it, we did not; stale: the platform knew something newer; extra: the platform no longer lists it; created: its Created event was lost',
    fields Array(String) COMMENT 'What differed',
    action String COMMENT 'repaired, reported, waiting, held_back, or listed: created before deliveries began, nothing is made up',
    event_ids Array(String) COMMENT 'The synthetic events that repaired it, as in events'
) AS
SELECT
    found_at,
    assignment_id,
    nullIf(user_id, '') AS user_id,
    nullIf(toString(challenge_id), '') AS challenge_id,
    toString(kind) AS kind,
    arrayMap(field -> toString(field), fields) AS fields,
    toString(action) AS action,
    event_ids
FROM rollcall.reconcile_findings FINAL
COMMENT 'Differences between the platform''s assignments and ours, and what was done about each'
