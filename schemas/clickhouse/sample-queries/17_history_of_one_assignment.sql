-- What happened to one assignment? Here: the one that was heard of last.
SELECT event_time, event_type, status, completion_percentage, is_submitted, is_fully_graded, calculated_grade, due_date, received_at, source
FROM rollcall.events
WHERE assignment_id = (SELECT argMax(assignment_id, event_time) FROM rollcall.events WHERE recognised)
ORDER BY
    event_time,
    ifNull(updated_at, toDateTime64(0, 3, 'UTC')),
    indexOf(['assignmentCreated.challenge', 'assignmentProgress.challenge', 'assignmentCompleted.challenge', 'assignmentDeleted.challenge'], event_type),
    event_id
