-- How long the assignments of a scope took, and when they were due: a column of days for each, of at most 10,000 of them, which are a
-- sample without choice, because keys are hashes. Those whose beginning or end nobody knows are left out.
SELECT groupArray(born) AS born, groupArray(ended) AS ended, groupArray(completed) AS completed, groupArray(due) AS due
FROM
(
    SELECT
        toInt32(intDiv(as_of_ms - began_ms, 86400000)) AS born,
        -- What failed ended when it was graded, or handed in. The epoch: not known, so now.
        multiIf(is_completed, toInt32(intDiv(as_of_ms - ended_ms, 86400000)), NOT is_failed, -1, ended_ms = 0, 0, toInt32(intDiv(as_of_ms - ended_ms, 86400000))) AS ended,
        toUInt8(is_completed) AS completed,
        if(due_ms = 0, 32767, toInt32(greatest(-20000, least(20000, floor((due_ms - as_of_ms) / 86400000))))) AS due
    FROM
    (
        SELECT
            akey,
            toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')}) AS as_of_ms,
            any(bitTest(state, 0)) AS is_completed,
            any(bitTest(state, 1)) AS is_failed,
            any(bitTest(state, 12)) AS is_assumed,
            any(toUnixTimestamp64Milli(created_at)) AS began_ms,
            any(toUnixTimestamp64Milli(due_date)) AS due_ms,
            any(toUnixTimestamp64Milli(completed_at)) AS completed_ms,
            any(toUnixTimestamp64Milli(if(toUnixTimestamp64Milli(first_graded_at) != 0, first_graded_at, first_submitted_at))) AS judged_ms,
            least(as_of_ms, greatest(if(is_completed, completed_ms, judged_ms), if(judged_ms = 0 AND NOT is_completed, 0, began_ms))) AS ended_ms
        FROM
        (
            SELECT *
            -- include scope-at
        )
        GROUP BY akey, img
        HAVING sum(sign) > 0
    )
    WHERE NOT is_assumed AND NOT (is_completed AND completed_ms = 0)
    ORDER BY akey -- A hash.
    LIMIT 10000
)
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
