-- The events behind store-versions.sql, as typed rows: one for each state.
INSERT INTO rollcall.event_rows (akey, event_time, updated_at, rank, event_id, event_type, source, received_at, log_partition, log_offset, assignment_id, challenge_id, user_id, status, flags_known, flags_true, grade, completion_percentage, created_at, due_date)
SELECT
    akey, valid_from, updated_at, if(class = 0 AND NOT bitTest(state, 6), 1, 2), reinterpretAsUUID(unhex(hex(MD5(concat(assignment_id, toString(valid_from)))))),
    'assignmentProgress.challenge', 'main', valid_from, 0, rowNumberInAllBlocks(), assignment_id, challenge_id, user_id, status, 127, 0, grade, completion_percentage, created_at, due_date
FROM (SELECT * FROM rollcall.open_versions UNION ALL SELECT * FROM rollcall.closed_versions)
