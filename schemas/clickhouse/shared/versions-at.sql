-- The signed states that are valid at an instant, with the columns behind the metrics. Each table has its conditions beside it, so that
-- its sort order helps even if the planner does not move conditions down.
SELECT
    class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at,
    grade, due_spans, challenge_id, sign
FROM rollcall.open_versions
WHERE class != 3 AND valid_from <= {as_of:DateTime64(3, 'UTC')}
    AND user_id IN {user:Array(String)} -- if user
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    AND challenge_id IN {challenge:Array(String)} -- if challenge
UNION ALL
SELECT
    class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at,
    grade, due_spans, challenge_id, sign
FROM rollcall.closed_versions
WHERE valid_to > {as_of:DateTime64(3, 'UTC')} AND class != 3 AND valid_from <= {as_of:DateTime64(3, 'UTC')}
    AND user_id IN {user:Array(String)} -- if user
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    AND challenge_id IN {challenge:Array(String)} -- if challenge
