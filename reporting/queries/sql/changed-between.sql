-- For statements to include: what changed in a scope between two moments: assignments that came into it, left it, or whose facts, grade
-- or due date differ. Each moment is asked twice: for the scope, and for everything whatever its person and filters, so that the reason
-- can be told. `kinds` are bits in the order of `changeKinds` (changes.ts); `by_event`, `by_time` and `by_people` are those of them with
-- that cause (METRICS.md, Cause of a change).
-- `only_moving`: looks only at what can differ between the moments (`moving.sql`), with the same result. Everything else is the same at both.
-- `brief`: without causes, and only the kinds of `briefKinds` (change-counts.ts), which do not ask who was in scope before.
-- `by_person`: also what went from one person to another and is in scope at both moments: it changed for a reader who sees only one of them.
    every_state AS
    (
        SELECT
            akey, side, any(assignment_id) AS id, any(toString(user_id)) AS person, any(toString(challenge_id)) AS challenge_key,
            any(facts) AS facts, any(toUnixTimestamp64Milli(due_date)) AS due_ms,
            any(is_late_creation) AS is_created_later, any(fits) AS fits_filters, -- unless brief
            -- Only for graded assignments: before that the platform may send a preliminary grade.
            any(if(bitAnd(state, 8200) = 8200, toNullable(grade), NULL)) AS final_grade
        FROM
        (
            -- Side 0 is the first moment, 1 the second. Side 2: the states of the second that began in between, with the clock held at the first.
            SELECT 0 AS side, akey, assignment_id, user_id, challenge_id, facts, state, img, due_date, grade,
                false AS is_late_creation, true AS fits, -- unless brief
                sign
            -- include everything-at as_of=from clock=from
            UNION ALL
            SELECT 1, akey, assignment_id, user_id, challenge_id, facts, state, img, due_date, grade,
                -- Known at the first moment, and created after it.
                life_started_at <= {from:DateTime64(3, 'UTC')} AND created_at > {from:DateTime64(3, 'UTC')}, -- unless brief
                -- The filters on what only an event changes.
                true -- unless brief
                AND created_day BETWEEN {assigned_from:UInt16} AND {assigned_to:UInt16} -- if only_assigned -- unless brief
                AND completed_day BETWEEN {completed_from:UInt16} AND {completed_to:UInt16} -- if only_completed -- unless brief
                AND due_day BETWEEN {due_from:UInt16} AND {due_to:UInt16} -- if only_due -- unless brief
                AND challenge_id IN {challenge:Array(String)} -- if only_challenge -- unless brief
                AND user_id IN {user:Array(String)} -- if only_user -- unless brief
                , -- unless brief
                sign
            -- include everything-at clock=as_of
            UNION ALL -- unless brief
            SELECT 2, akey, assignment_id, user_id, challenge_id, facts, state, img, due_date, grade, false, true, sign -- unless brief
            -- include everything-at clock=from -- unless brief
                AND valid_from > {from:DateTime64(3, 'UTC')} -- unless brief
        )
        GROUP BY akey, side, img
        HAVING sum(sign) > 0
    ),
    in_scope AS
    (
        SELECT akey, side
        FROM
        (
            SELECT 0 AS side, akey, img, sign -- unless brief
            -- include scope-at as_of=from under=under_from -- unless brief
            UNION ALL -- unless brief
            SELECT 1 AS side, akey, img, sign
            -- include scope-at
        )
        GROUP BY akey, side, img
        HAVING sum(sign) > 0
    ),
    -- Each level names what the next one uses: where one level used its own names, the planner would write each of them out again.
    sides AS
    (
        SELECT
            akey,
            any(id) AS assignment_id,
            argMax(person, side) AS user_id,
            argMin(person, side) AS user_id_before,
            argMax(challenge_key, side) AS challenge_id,
            countIf(side = 0) > 0 AS was_there,
            countIf(side = 1) > 0 AS is_there,
            anyIf(facts, side = 0) AS facts_before,
            anyIf(facts, side = 1) AS facts_after,
            if(countIf(side = 2) > 0, anyIf(facts, side = 2), facts_before) AS facts_of_clock, -- unless brief
            NOT was_there AND anyIf(is_created_later, side = 1) AS is_created_by_time, -- unless brief
            anyIf(fits_filters, side = 1) AS fits, -- unless brief
            anyIf(due_ms, side = 0) AS due_before,
            anyIf(due_ms, side = 1) AS due_after,
            anyIf(final_grade, side = 0) AS grade_before,
            anyIf(final_grade, side = 1) AS grade_after,
            countIf(side = 0 AND is_member) > 0 AS was_in_scope,
            countIf(side = 1 AND is_member) > 0 AS is_in_scope
        FROM (SELECT *, (akey, side) IN (SELECT akey, side FROM in_scope) AS is_member FROM every_state)
        GROUP BY akey
    ),
    changed AS
    (
        SELECT *
        FROM
        (
            SELECT
                *,
                ifNull(grade_before != grade_after, false) AS is_other_grade,
                if(is_created_by_time, 0, facts_of_clock) AS facts_held, -- unless brief
                bitAnd(facts_after, bitNot(facts_before)) AS gained,
                bitAnd(facts_before, bitNot(facts_after)) AS lost
            FROM sides
        )
        WHERE was_in_scope != is_in_scope OR (was_in_scope AND (facts_before != facts_after OR is_other_grade OR due_before != due_after))
            OR user_id != user_id_before -- if by_person
    ),
    named AS
    (
        SELECT
            *,
            (is_in_scope AND NOT was_there)
                + 2 * (is_in_scope AND bitTest(gained, 25)) -- Became overdue.
                + 4 * (is_in_scope AND bitTest(lost, 25))
                + 8 * (is_in_scope AND bitTest(gained, 2)) -- Handed in.
                + 16 * (is_in_scope AND bitTest(gained, 3)) -- Graded.
                + 32 * (is_in_scope AND bitTest(gained, 0)) -- Completed.
                + 64 * (is_in_scope AND bitTest(gained, 1)) -- Failed.
                + 128 * (is_in_scope AND bitTest(facts_before, 3) AND bitTest(facts_after, 3) AND (is_other_grade OR bitTest(bitXor(facts_before, facts_after), 5))) -- Regraded.
                + 256 * (is_in_scope AND bitTest(lost, 0)) -- Completed no more.
                + 512 * (is_in_scope AND was_there AND due_before != due_after)
                + 1024 * (was_in_scope AND NOT is_there)
                + 2048 * (is_in_scope AND NOT was_in_scope AND was_there)
                + 4096 * (was_in_scope AND NOT is_in_scope AND is_there) AS named_kinds
        FROM changed
    ),
    -- include change-causes -- unless brief
    told AS
    (
        SELECT *, toUInt16(named_kinds + 8192 * (named_kinds = 0)) AS kinds
        FROM named -- if brief
        FROM caused -- unless brief
    )
