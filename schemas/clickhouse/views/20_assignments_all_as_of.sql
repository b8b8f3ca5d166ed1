-- Printed by `npm run docs:data` from schemas/metrics/facts.ts and columns.ts.
-- The analysts' contract: one row per assignment known and not deleted at an instant, with every fact of METRICS.md. What is
-- unknown is NULL. People who have left are in it, with user_active = false.
CREATE OR REPLACE VIEW rollcall.assignments_all_as_of AS
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of, {due_soon_days:UInt16} AS due_soon_days,
    coalesce(nullIf({due_zone:String}, ''), nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_zone'), ''), 'UTC') AS due_zone,
    coalesce(nullIf({due_end:String}, ''), nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_end'), ''), 'end_of_day') AS due_end,
    assumeNotNull((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = concat('zone ', due_zone))) AS stored_rules,
    if(stored_rules = '', due_zone, 'UTC') AS zone_name,
    JSONExtract(if(stored_rules = '', '[[0], [0], [0], [9000000000000000]]', stored_rules), 'Array(Array(Int64))') AS zone_rules,
    -- From when on (epoch ms) clocks are how far ahead of UTC (ms), when that begins by the clock itself, and when it ends.
    zone_rules[1] AS zone_starts, zone_rules[2] AS zone_offsets, zone_rules[3] AS zone_local_starts, zone_rules[4] AS zone_ends,
    (moment -> toDate32(addMilliseconds(moment, transform(roundDown(assumeNotNull(toUnixTimestamp64Milli(moment)), zone_starts), zone_starts, zone_offsets)), zone_name)) AS day_of,
    -- The calendar day in the due zone, or the instant: before "late from" is key <= due key.
    ((moment, day) -> if(due_end = 'instant', toUnixTimestamp64Milli(moment), toInt64(day))) AS due_key
SELECT
    toString(assignment.assignment_id) AS assignment_id, nullIf(toString(assignment.challenge_id), '') AS challenge_id, nullIf(title.challenge_name, '') AS challenge,
    nullIf(toString(assignment.user_id), '') AS user_id,
    multiIf(bitTest(assignment.state, 0), 'completed', bitTest(assignment.state, 1), 'failed', assignment.awaiting_grading, 'awaiting_grading', assignment.overdue, 'overdue', assignment.in_progress, 'in_progress', 'not_started') AS effective_status,
    assignment.created_at AS created_at, CAST(bitTest(assignment.state, 12) AS Bool) AS created_at_assumed, nullIf(assignment.due_date, toDateTime64(0, 3, 'UTC')) AS due_date,
    if(nullIf(assignment.due_date, toDateTime64(0, 3, 'UTC')) IS NULL, NULL, assignment.due_day) AS due_day, nullIf(assignment.first_due_date, toDateTime64(0, 3, 'UTC')) AS first_due_date,
    CAST(bitTest(assignment.state, 18) AS Bool) AS deadline_moved, nullIf(assignment.first_viewed_at, toDateTime64(0, 3, 'UTC')) AS first_viewed_at,
    nullIf(assignment.last_viewed_at, toDateTime64(0, 3, 'UTC')) AS last_viewed_at, nullIf(assignment.first_submitted_at, toDateTime64(0, 3, 'UTC')) AS first_seen_submitted,
    nullIf(assignment.first_graded_at, toDateTime64(0, 3, 'UTC')) AS first_seen_graded, nullIf(assignment.completed_at, toDateTime64(0, 3, 'UTC')) AS completed_at,
    nullIf(assignment.reviewers_due_date, toDateTime64(0, 3, 'UTC')) AS reviewers_due_date, nullIf(assignment.updated_at, toDateTime64(0, 3, 'UTC')) AS updated_at,
    if((bitTest(assignment.state, 3) AND bitTest(assignment.state, 13)), assignment.grade, NULL) AS calculated_grade,
    if(bitTest(assignment.state, 13), assignment.grade, NULL) AS calculated_grade_as_sent,
    if(assignment.completion_percentage = -1 AND NOT bitTest(assignment.state, 19), NULL, assignment.completion_percentage) AS completion_percentage,
    CAST(bitTest(assignment.state, 0) AS Bool) AS completed, CAST(bitTest(assignment.state, 1) AS Bool) AS failed, CAST(bitTest(assignment.state, 6) AS Bool) AS viewed,
    CAST(bitTest(assignment.state, 7) AS Bool) AS started, CAST(bitTest(assignment.state, 2) AS Bool) AS submitted, CAST(bitTest(assignment.state, 3) AS Bool) AS graded,
    CAST(bitTest(assignment.state, 4) AS Bool) AS partially_graded, CAST((bitTest(assignment.state, 3) AND bitTest(assignment.state, 5)) AS Bool) AS passed,
    CAST(assignment.awaiting_grading AS Bool) AS awaiting_grading, CAST(assignment.open AS Bool) AS open, CAST(assignment.overdue AS Bool) AS overdue,
    CAST(if(assignment.overdue, assignment.days_after_due, NULL) AS Nullable(Int32)) AS days_overdue,
    multiIf(assignment.aging_1_7, '1-7', assignment.aging_8_14, '8-14', assignment.aging_15_30, '15-30', assignment.aging_31_60, '31-60', assignment.aging_61_90, '61-90', assignment.aging_91, '91+', NULL) AS aging_bucket,
    CAST(assignment.reviewer_overdue AS Bool) AS reviewer_overdue, CAST(assignment.due_soon AS Bool) AS due_soon, CAST(assignment.completed_on_time AS Bool) AS completed_on_time,
    CAST(assignment.reported_mismatch AS Bool) AS reported_mismatch, nullIf(toString(assignment.status), '') AS status,
    CAST(if(bitTest(assignment.state, 10), bitTest(assignment.state, 11), NULL) AS Nullable(Bool)) AS is_completed_on_time,
    CAST(if(bitTest(assignment.state, 8), bitTest(assignment.state, 9), NULL) AS Nullable(Bool)) AS is_overdue, assignment.days_overdue_reported AS num_days_overdue, assignment.life AS life,
    CAST(bitTest(assignment.state, 14) AS Bool) AS began_submitted, CAST(bitTest(assignment.state, 15) AS Bool) AS began_graded, CAST(bitTest(assignment.state, 17) AS Bool) AS graded_when_submitted,
    CAST(empty(person.user_id) OR person.active AS Bool) AS user_active, person.teams AS teams, person.user_attributes AS user_attributes,
    CAST(arrayMap((began, ended) -> (fromUnixTimestamp64Milli(began, 'UTC'), fromUnixTimestamp64Milli(ended, 'UTC')),
        arrayFilter((began, before) -> began != before, late_spans.1, arrayShiftRight(late_spans.2, 1)),
        arrayFilter((ended, after) -> ended != after, late_spans.2, arrayShiftLeft(late_spans.1, 1))
    ) AS Array(Tuple(began_at DateTime64(3, 'UTC'), ended_at DateTime64(3, 'UTC')))) AS overdue_spans
FROM
(
    SELECT *,
        (open AND due_known AND NOT late AND days_after_due BETWEEN -due_soon_days AND 0) AS due_soon, (awaiting_grading AND reviewers_late) AS reviewer_overdue,
        (bitTest(state, 0) AND completed_in_time) AS completed_on_time, (bitTest(state, 8) AND ((bitTest(state, 9) AND NOT overdue) OR (NOT bitTest(state, 9) AND overdue))) AS reported_mismatch,
        (NOT (bitTest(state, 0) OR bitTest(state, 1) OR awaiting_grading OR overdue) AND bitTest(state, 6)) AS in_progress,
        (NOT (bitTest(state, 0) OR bitTest(state, 1) OR awaiting_grading OR overdue) AND NOT bitTest(state, 6)) AS not_started, (overdue AND days_after_due BETWEEN -9999 AND 7) AS aging_1_7,
        (overdue AND days_after_due BETWEEN 8 AND 14) AS aging_8_14, (overdue AND days_after_due BETWEEN 15 AND 30) AS aging_15_30, (overdue AND days_after_due BETWEEN 31 AND 60) AS aging_31_60,
        (overdue AND days_after_due BETWEEN 61 AND 90) AS aging_61_90, (overdue AND days_after_due BETWEEN 91 AND 99999) AS aging_91,
        -- The overdue part of a span begins at its late_from, the first instant after the due day: at midnight, or where
        -- the clocks leave midnight out, when they change.
        arrayFilter(span -> span.1 < span.2 AND span.1 <= toUnixTimestamp64Milli(as_of), arrayMap((span, midnight, local_start) -> (
            greatest(span.1, if(due_end = 'instant', span.3 + 1, least(
                midnight - transform(local_start, zone_local_starts, zone_offsets), transform(local_start, zone_local_starts, zone_ends)
            ))),
            span.2
        ), due_spans, midnights, arrayMap(midnight -> roundDown(midnight - 1, zone_local_starts), midnights))) AS late_spans
    FROM
    (
        SELECT *,
            arrayMap(span -> toUnixTimestamp64Milli(toDateTime64(day_of(fromUnixTimestamp64Milli(span.3)) + 1, 3, zone_name)), due_spans) AS midnights,
            day_of(as_of) AS today, day_of(due_date) AS due_day,
            due_key(as_of, today) AS as_of_key, due_key(due_date, due_day) AS due_date_key,
            due_key(completed_at, day_of(completed_at)) AS completed_at_key,
            due_key(reviewers_due_date, day_of(reviewers_due_date)) AS reviewers_due_date_key,
            ((toUnixTimestamp64Milli(due_date) != 0) AND due_date_key < as_of_key) AS late, (toUnixTimestamp64Milli(due_date) != 0) AS due_known, (class = 0) AS open, (class = 1) AS awaiting_grading,
            ((toUnixTimestamp64Milli(reviewers_due_date) != 0) AND reviewers_due_date_key < as_of_key) AS reviewers_late,
            ((toUnixTimestamp64Milli(completed_at) != 0) AND (toUnixTimestamp64Milli(due_date) != 0) AND completed_at_key <= due_date_key) AS completed_in_time,
            (open AND late) AS overdue,
            toInt32(today) - toInt32(due_day) AS days_after_due
        FROM
        (
            -- One row per image whose signs do not add up to zero. Rows with equal images are equal in every column.
            SELECT
                any(version.class) AS class, any(version.state) AS state, any(version.due_spans) AS due_spans, any(version.assignment_id) AS assignment_id, any(version.challenge_id) AS challenge_id,
                any(version.user_id) AS user_id, any(version.created_at) AS created_at, any(version.due_date) AS due_date, any(version.first_due_date) AS first_due_date,
                any(version.first_viewed_at) AS first_viewed_at, any(version.last_viewed_at) AS last_viewed_at, any(version.first_submitted_at) AS first_submitted_at,
                any(version.first_graded_at) AS first_graded_at, any(version.completed_at) AS completed_at, any(version.reviewers_due_date) AS reviewers_due_date, any(version.updated_at) AS updated_at,
                any(version.grade) AS grade, any(version.completion_percentage) AS completion_percentage, any(version.status) AS status, any(version.days_overdue_reported) AS days_overdue_reported,
                any(version.life) AS life
            FROM
            (
                SELECT * FROM rollcall.open_versions
                WHERE class != 3 AND valid_from <= as_of
                UNION ALL
                SELECT * FROM rollcall.closed_versions
                WHERE class != 3 AND valid_to > as_of AND valid_from <= as_of
            ) AS version
            GROUP BY akey, img
            HAVING sum(sign) > 0
        )
    )
) AS assignment
LEFT JOIN
(
    SELECT
        user_id,
        any(version.active) AS active,
        if(any(version.teams_seen_at) <= greatest(as_of, now64(3, 'UTC')), any(version.teams), []) AS teams,
        mapFilter((attribute, _) -> has(splitByChar(',', (SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'user_attributes')), attribute)
            AND any(version.attributes_seen_at) <= greatest(as_of, now64(3, 'UTC')), any(version.attributes)) AS user_attributes
    FROM rollcall.user_versions AS version
    WHERE valid_from <= as_of AND valid_to > as_of
    GROUP BY user_id, img
    HAVING sum(sign) > 0
) AS person ON person.user_id = assignment.user_id
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS challenge_name FROM rollcall.names WHERE kind = 'challenge' AND counts_from <= now() GROUP BY id) AS title ON title.id = assignment.challenge_id
SETTINGS join_use_nulls = 0
COMMENT 'Every assignment as it was at an instant, also of people who have left, with the facts of METRICS.md. Parameters: as_of (DateTime64), due_zone (tz name; '''' = DUE_ZONE), due_end (end_of_day or instant; '''' = DUE_END), due_soon_days'
