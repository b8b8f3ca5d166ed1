-- Printed by `npm run docs:data` from schemas/metrics/facts.ts and columns.ts.
-- Building block. The signed states as of an instant, each with its facts packed in one number: bits of schemas/metrics/facts.ts.
CREATE OR REPLACE VIEW rollcall.scope_at AS
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    -- The calendar day in the due zone, or the instant: before "late from" is key <= due key.
    (moment -> if({due_end:String} = 'instant', toUnixTimestamp64Milli(moment), toInt64(toDate(moment, {due_zone:String})))) AS due_key
SELECT
    *,
    toUInt64(bitAnd(state, 16777215))
        + bitShiftLeft(toUInt64(late), 24)
        + bitShiftLeft(toUInt64(overdue), 25)
        + bitShiftLeft(toUInt64(due_soon), 26)
        + bitShiftLeft(toUInt64(due_known), 27)
        + bitShiftLeft(toUInt64(first_due_known), 28)
        + bitShiftLeft(toUInt64(reviewers_due_known), 29)
        + bitShiftLeft(toUInt64(completed_at_known), 30)
        + bitShiftLeft(toUInt64(open), 31)
        + bitShiftLeft(toUInt64(awaiting_grading), 32)
        + bitShiftLeft(toUInt64(first_late), 36)
        + bitShiftLeft(toUInt64(reviewers_late), 37)
        + bitShiftLeft(toUInt64(completed_in_time), 38)
        + bitShiftLeft(toUInt64(completed_in_first_time), 39)
        + bitShiftLeft(toUInt64(submitted_in_time), 40)
        + bitShiftLeft(toUInt64(graded_in_time), 41)
        + bitShiftLeft(toUInt64(reviewer_overdue), 42)
        + bitShiftLeft(toUInt64(completed_on_time), 43)
        + bitShiftLeft(toUInt64(reported_mismatch), 44)
        + bitShiftLeft(toUInt64(in_progress), 45)
        + bitShiftLeft(toUInt64(not_started), 46)
        + bitShiftLeft(toUInt64(aging_1_7), 48)
        + bitShiftLeft(toUInt64(aging_8_14), 49)
        + bitShiftLeft(toUInt64(aging_15_30), 50)
        + bitShiftLeft(toUInt64(aging_31_60), 51)
        + bitShiftLeft(toUInt64(aging_61_90), 52)
        + bitShiftLeft(toUInt64(aging_91), 53) AS facts
FROM
(
    SELECT
        *,
        (open AND late) AS overdue,
        (open AND due_known AND NOT late AND days_after_due BETWEEN -toInt32({due_soon_days:UInt16}) AND 0) AS due_soon,
        (awaiting_grading AND reviewers_late) AS reviewer_overdue,
        (bitTest(state, 0) AND completed_in_time) AS completed_on_time,
        (bitTest(state, 8) AND ((bitTest(state, 9) AND NOT overdue) OR (NOT bitTest(state, 9) AND overdue))) AS reported_mismatch,
        (NOT (bitTest(state, 0) OR bitTest(state, 1) OR awaiting_grading OR overdue) AND bitTest(state, 6)) AS in_progress,
        (NOT (bitTest(state, 0) OR bitTest(state, 1) OR awaiting_grading OR overdue) AND NOT bitTest(state, 6)) AS not_started,
        (overdue AND days_after_due BETWEEN -9999 AND 7) AS aging_1_7,
        (overdue AND days_after_due BETWEEN 8 AND 14) AS aging_8_14,
        (overdue AND days_after_due BETWEEN 15 AND 30) AS aging_15_30,
        (overdue AND days_after_due BETWEEN 31 AND 60) AS aging_31_60,
        (overdue AND days_after_due BETWEEN 61 AND 90) AS aging_61_90,
        (overdue AND days_after_due BETWEEN 91 AND 99999) AS aging_91
    FROM
    (
        SELECT
            *,
            ((toUnixTimestamp64Milli(due_date) != 0) AND due_key(due_date) < due_key(as_of)) AS late,
            (toUnixTimestamp64Milli(due_date) != 0) AS due_known,
            (toUnixTimestamp64Milli(first_due_date) != 0) AS first_due_known,
            (toUnixTimestamp64Milli(reviewers_due_date) != 0) AS reviewers_due_known,
            (toUnixTimestamp64Milli(completed_at) != 0) AS completed_at_known,
            (class = 0) AS open,
            (class = 1) AS awaiting_grading,
            ((toUnixTimestamp64Milli(first_due_date) != 0) AND due_key(first_due_date) < due_key(as_of)) AS first_late,
            ((toUnixTimestamp64Milli(reviewers_due_date) != 0) AND due_key(reviewers_due_date) < due_key(as_of)) AS reviewers_late,
            ((toUnixTimestamp64Milli(completed_at) != 0) AND (toUnixTimestamp64Milli(due_date) != 0) AND due_key(completed_at) <= due_key(due_date)) AS completed_in_time,
            ((toUnixTimestamp64Milli(completed_at) != 0) AND (toUnixTimestamp64Milli(first_due_date) != 0) AND due_key(completed_at) <= due_key(first_due_date)) AS completed_in_first_time,
            ((toUnixTimestamp64Milli(first_submitted_at) != 0) AND (toUnixTimestamp64Milli(due_date) != 0) AND due_key(first_submitted_at) <= due_key(due_date)) AS submitted_in_time,
            ((toUnixTimestamp64Milli(first_graded_at) != 0) AND (toUnixTimestamp64Milli(reviewers_due_date) != 0) AND due_key(first_graded_at) <= due_key(reviewers_due_date)) AS graded_in_time,
            toInt32(toDate(as_of, {due_zone:String})) - toInt32(toDate(due_date, {due_zone:String})) AS days_after_due
        FROM
        (
            SELECT * FROM rollcall.open_versions
            WHERE class != 3 AND valid_from <= as_of
            UNION ALL
            SELECT * FROM rollcall.closed_versions
            WHERE class != 3 AND valid_to > as_of AND valid_from <= as_of
        )
    )
)
COMMENT 'Signed states as of an instant with their facts (parameters as_of, due_zone, due_end, due_soon_days); a building block'
