-- How long the assignments of a scope took to be completed, or have been open so far, by whole days since they were created. Of those that
-- may still be completed also by the days until they are due, with a few hundred ids for each.
SELECT
    kind,
    days,
    due,
    count() AS n,
    if(kind = 'open', groupArraySorted(500)(id), []) AS assignment_ids
FROM
(
    SELECT
        any(assignment_id) AS id,
        any(bitTest(state, 0)) AS is_completed,
        any(completed_at) AS finished_at,
        any(created_at) AS began_at,
        -- Unknown if either time was never sent.
        multiIf(
            is_completed AND (toUnixTimestamp64Milli(finished_at) = 0 OR any(bitTest(state, 12))), 'completed_unmeasured',
            is_completed, 'completed',
            any(bitTest(state, 1)), 'failed',
            any(bitTest(state, 12)), 'open_unmeasured',
            'open'
        ) AS kind,
        greatest(0, intDiv(toUnixTimestamp64Milli(if(kind = 'completed', finished_at, {as_of:DateTime64(3, 'UTC')})) - toUnixTimestamp64Milli(began_at), 86400000)) AS days,
        if(kind != 'open' OR toUnixTimestamp64Milli(any(due_date)) = 0, 32767, toInt32(greatest(-20000, least(20000, floor((toUnixTimestamp64Milli(any(due_date)) - toUnixTimestamp64Milli({as_of:DateTime64(3, 'UTC')})) / 86400000))))) AS due
    FROM
    (
        SELECT *
        -- include scope-at
    )
    GROUP BY akey, img
    HAVING sum(sign) > 0
)
GROUP BY kind, days, due
ORDER BY kind, days, due -- So that one question has one answer.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
