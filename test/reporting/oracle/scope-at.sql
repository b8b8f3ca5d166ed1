-- Signed states in scope as of an instant, each with its facts packed in one number: written by hand before facts were a table. Filters: an
-- empty list or a mask of 0 = not given; windows are days since 1970, 65535 = no such day.
SELECT *
FROM
(
    SELECT
        *,
        bitOr(
            bitOr(toUInt64(state), bitShiftLeft(toUInt64(
                late + 2 * overdue + 4 * due_soon + 8 * due_known + 16 * first_due_known + 32 * reviewers_due_known + 64 * completed_at_known
                + 128 * (class = 0) + 256 * (class = 1)
            ), 24)),
            bitOr(
                bitShiftLeft(toUInt64(
                    (first_due_known AND first_due_key < today_key)
                    + 2 * reviewers_late
                    + 4 * completed_in_time
                    + 8 * (completed_at_known AND first_due_known AND completed_key <= first_due_key)
                    + 16 * (due_known AND toUnixTimestamp64Milli(first_submitted_at) != 0 AND submitted_key <= due_key)
                    + 32 * (reviewers_due_known AND toUnixTimestamp64Milli(first_graded_at) != 0 AND graded_key <= reviewers_due_key)
                    + 64 * (class = 1 AND reviewers_late)
                    + 128 * (bitTest(state, 0) AND completed_in_time)
                ), 36),
                bitShiftLeft(toUInt64(
                    (bitTest(state, 8) AND bitTest(state, 9) != overdue)
                    + 2 * (is_other AND bitTest(state, 6))
                    + 4 * (is_other AND NOT bitTest(state, 6))
                    + if(overdue, bitShiftLeft(16, (days_after_due > 7) + (days_after_due > 14) + (days_after_due > 30) + (days_after_due > 60) + (days_after_due > 90)), 0)
                ), 44)
            )
        ) AS facts
    FROM
    (
        SELECT
            *,
            due_known AND due_key < today_key AS late,
            class = 0 AND late AS overdue,
            class = 0 AND due_known AND NOT late AND days_after_due BETWEEN -toInt32({due_soon_days:UInt16}) AND 0 AS due_soon,
            -- Neither completed nor failed, awaiting grading or overdue.
            bitAnd(state, 3) = 0 AND class != 1 AND NOT overdue AS is_other,
            reviewers_due_known AND reviewers_due_key < today_key AS reviewers_late,
            completed_at_known AND due_known AND completed_key <= due_key AS completed_in_time
        FROM
        (
            SELECT
                class, user_id, akey, assignment_id, challenge_id, valid_from, life, state, status, created_at, updated_at, completed_at,
                due_date, first_due_date, reviewers_due_date, first_viewed_at, last_viewed_at, life_started_at, first_submitted_at,
                first_graded_at, grade, completion_percentage, days_overdue_reported, due_spans, sign, img,
                toUnixTimestamp64Milli(due_date) != 0 AS due_known,
                toUnixTimestamp64Milli(first_due_date) != 0 AS first_due_known,
                toUnixTimestamp64Milli(reviewers_due_date) != 0 AS reviewers_due_known,
                toUnixTimestamp64Milli(completed_at) != 0 AS completed_at_known,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}), toInt64(toDate({as_of:DateTime64(3, 'UTC')}, {due_zone:String}))) AS today_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(due_date), toInt64(toDate(due_date, {due_zone:String}))) AS due_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(first_due_date), toInt64(toDate(first_due_date, {due_zone:String}))) AS first_due_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(reviewers_due_date), toInt64(toDate(reviewers_due_date, {due_zone:String}))) AS reviewers_due_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(completed_at), toInt64(toDate(completed_at, {due_zone:String}))) AS completed_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(first_submitted_at), toInt64(toDate(first_submitted_at, {due_zone:String}))) AS submitted_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(first_graded_at), toInt64(toDate(first_graded_at, {due_zone:String}))) AS graded_key,
                toUInt16(toDate(created_at, {time_zone:String})) AS created_day,
                if(bitTest(state, 0) AND completed_at_known, toUInt16(toDate(completed_at, {time_zone:String})), 65535) AS completed_day,
                if(due_known, toUInt16(toDate(due_date, {due_zone:String})), 65535) AS due_day,
                toInt32(toDate({as_of:DateTime64(3, 'UTC')}, {due_zone:String})) - toInt32(toDate(due_date, {due_zone:String})) AS days_after_due
            FROM
            (
                SELECT * FROM rollcall.open_versions
                WHERE class != 3 AND valid_from <= {as_of:DateTime64(3, 'UTC')}
                UNION ALL
                SELECT * FROM rollcall.closed_versions
                WHERE class != 3 AND valid_to > {as_of:DateTime64(3, 'UTC')} AND valid_from <= {as_of:DateTime64(3, 'UTC')}
            )
            WHERE true
                AND created_day BETWEEN {assigned_from:UInt16} AND {assigned_to:UInt16}
                AND completed_day BETWEEN {completed_from:UInt16} AND {completed_to:UInt16}
                AND due_day BETWEEN {due_from:UInt16} AND {due_to:UInt16}
                AND (empty({challenge:Array(String)}) OR challenge_id IN {challenge:Array(String)})
                AND (empty({user:Array(String)}) OR user_id IN {user:Array(String)})
                -- One mention of the people: those to be left out, or, where teams are given, those in them.
                AND (user_id IN (
                    SELECT user_id FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
                    WHERE if(empty({team:Array(String)}), NOT (active OR {include_leavers:Bool}), (active OR {include_leavers:Bool}) AND hasAny(teams, {team:Array(String)}) AND user_id != '')
                )) = notEmpty({team:Array(String)})
                AND ({without_team:Bool} = false OR user_id NOT IN (
                    SELECT user_id FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
                    WHERE notEmpty(teams) AND user_id != ''
                ))
                AND (empty(JSONExtract({attribute:String}, 'Array(Tuple(String, Array(String)))')) OR user_id IN (
                    SELECT user_id FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
                    WHERE arrayAll(asked -> has(asked.2, user_attributes[asked.1]), JSONExtract({attribute:String}, 'Array(Tuple(String, Array(String)))'))
                ))
        )
    )
)
WHERE ({fact_mask:UInt64} = 0 OR bitAnd(facts, {fact_mask:UInt64}) != 0)
    AND ({status_mask:UInt64} = 0 OR bitAnd(facts, {status_mask:UInt64}) != 0)
    AND ({aging_mask:UInt64} = 0 OR bitAnd(facts, {aging_mask:UInt64}) != 0)
