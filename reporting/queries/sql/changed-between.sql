-- For statements to include: what changed in a scope between two moments: assignments that came into it, left it, or whose facts, grade
-- or due date differ. Each moment is asked twice: for the scope, and for everything whatever its person and filters, so that the reason
-- can be told. `kinds` and `causes` are bits in the order of `changeKinds` and `changeCauses` (changes.ts).
-- `only_moving`: looks only at what can differ between the moments (`moving.sql`), with the same result. Everything else is the same at both.
-- `brief`: without causes, and only the kinds of `briefKinds` (change-counts.ts), which do not ask who was in scope before.
-- `by_person`: also what went from one person to another and is in scope at both moments: it changed for a reader who sees only one of them.
    every_state AS
    (
        SELECT
            akey, is_after, any(assignment_id) AS id, any(toString(user_id)) AS person, any(toString(challenge_id)) AS challenge_key,
            any(facts) AS facts, any(img) AS image, any(toUnixTimestamp64Milli(due_date)) AS due_ms,
            -- Only for graded assignments: before that the platform may send a preliminary grade.
            any(if(bitAnd(state, 8200) = 8200, toNullable(grade), NULL)) AS final_grade
        FROM
        (
            SELECT false AS is_after, akey, assignment_id, user_id, challenge_id, facts, state, img, due_date, grade, sign
            -- include everything-at as_of=from
            UNION ALL
            SELECT true AS is_after, akey, assignment_id, user_id, challenge_id, facts, state, img, due_date, grade, sign
            -- include everything-at
        )
        GROUP BY akey, is_after, img
        HAVING sum(sign) > 0
    ),
    in_scope AS
    (
        SELECT akey, is_after
        FROM
        (
            SELECT false AS is_after, akey, img, sign -- unless brief
            -- include scope-at as_of=from under=under_from -- unless brief
            UNION ALL -- unless brief
            SELECT true AS is_after, akey, img, sign
            -- include scope-at
        )
        GROUP BY akey, is_after, img
        HAVING sum(sign) > 0
    ),
    -- Each level names what the next one uses: where one level used its own names, the planner would write each of them out again.
    sides AS
    (
        SELECT
            akey,
            any(id) AS assignment_id,
            argMax(person, is_after) AS user_id,
            argMin(person, is_after) AS user_id_before,
            argMax(challenge_key, is_after) AS challenge_id,
            countIf(NOT is_after) > 0 AS was_there,
            countIf(is_after) > 0 AS is_there,
            anyIf(facts, NOT is_after) AS facts_before,
            anyIf(facts, is_after) AS facts_after,
            anyIf(due_ms, NOT is_after) AS due_before,
            anyIf(due_ms, is_after) AS due_after,
            anyIf(final_grade, NOT is_after) AS grade_before,
            anyIf(final_grade, is_after) AS grade_after,
            anyIf(image, NOT is_after) AS image_before,
            anyIf(image, is_after) AS image_after,
            countIf(NOT is_after AND is_member) > 0 AS was_in_scope,
            countIf(is_after AND is_member) > 0 AS is_in_scope
        FROM (SELECT *, (akey, is_after) IN (SELECT akey, is_after FROM in_scope) AS is_member FROM every_state)
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
                was_there AND is_there AND image_before = image_after AS is_same_state,
                bitAnd(facts_after, bitNot(facts_before)) AS gained,
                bitAnd(facts_before, bitNot(facts_after)) AS lost
            FROM sides
        )
        WHERE was_in_scope != is_in_scope OR (was_in_scope AND (facts_before != facts_after OR is_other_grade OR due_before != due_after))
            OR user_id != user_id_before -- if by_person
    ),
    told AS
    (
        SELECT
            *,
            toUInt16(named_kinds + 8192 * (named_kinds = 0)) AS kinds,
            -- A different state comes from an event, or from one sent before its creation, which began with time alone. The same state with
            -- other facts comes from time. If the filters treat both sides alike and only one is in scope, the cause is people.
            toUInt8(
                (NOT is_same_state AND has_event)
                + 2 * (if(is_same_state, facts_before != facts_after, NOT has_event))
                + 4 * (is_same_state AND was_in_scope != is_in_scope AND fits_before = fits_after) -- if only_facts
                + 4 * (is_same_state AND was_in_scope != is_in_scope) -- unless only_facts
            ) AS causes
        FROM
        (
            SELECT
                *,
                false AS has_event, -- if brief
                akey IN ( -- unless brief
                    SELECT akey FROM rollcall.event_rows -- unless brief
                    WHERE rank > 0 AND event_time > {from:DateTime64(3, 'UTC')} AND event_time <= {as_of:DateTime64(3, 'UTC')} -- unless brief
                ) AS has_event, -- unless brief
                ({fact_mask:UInt64} = 0 OR bitAnd(facts_before, {fact_mask:UInt64}) != 0) AND ({status_mask:UInt64} = 0 OR bitAnd(facts_before, {status_mask:UInt64}) != 0) AND ({aging_mask:UInt64} = 0 OR bitAnd(facts_before, {aging_mask:UInt64}) != 0) AS fits_before, -- if only_facts
                ({fact_mask:UInt64} = 0 OR bitAnd(facts_after, {fact_mask:UInt64}) != 0) AND ({status_mask:UInt64} = 0 OR bitAnd(facts_after, {status_mask:UInt64}) != 0) AND ({aging_mask:UInt64} = 0 OR bitAnd(facts_after, {aging_mask:UInt64}) != 0) AS fits_after, -- if only_facts
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
        )
    )
