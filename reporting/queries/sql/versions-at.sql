-- The states that hold at an instant, signed: the columns that numbers are made of. Conditions stand with each table, so that its order is
-- of use whether or not the planner moves conditions.
SELECT
    class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at,
    grade, due_spans, challenge_id, sign
FROM rollcall.open_versions
WHERE class != 3 AND valid_from <= as_of
    AND user_id IN {user:Array(String)} -- if user
    AND challenge_id IN {challenge:Array(String)} -- if challenge
UNION ALL
SELECT
    class, user_id, state, created_at, completed_at, due_date, first_due_date, reviewers_due_date, first_submitted_at, first_graded_at,
    grade, due_spans, challenge_id, sign
FROM rollcall.closed_versions
WHERE valid_to > as_of AND class != 3 AND valid_from <= as_of
    AND user_id IN {user:Array(String)} -- if user
    AND challenge_id IN {challenge:Array(String)} -- if challenge
