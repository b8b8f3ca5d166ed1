-- The same as part-counts.sql row by row, for parts of few rows: adding up is then quicker in the caller than planning it is here.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    toUnixTimestamp64Milli(as_of) AS as_of_ms
SELECT
    part, sign,
    toFloat64(toUnixTimestamp64Milli(valid_from)) AS from_ms,
    toFloat64(completed_ms) AS completed_ms,
    class = 3 AS is_deleted,
    class != 3 AND valid_from <= as_of AND NOT has_left AS counts,
    toString(user_id) AS person,
    bitTest(state, 0) AS is_completed,
    if(bitAnd(state, 8200) = 8200, grade, NULL) AS own_grade,
    toString(bits) AS fact_bits,
    days,
    arrayFilter(day -> day != 0,
    -- include part-days
    ) AS day_kinds,
    arrayMap(moment -> [bitShiftRight(moment, 56), bitAnd(moment, bitShiftLeft(1::Int64, 56) - 1)], arrayFilter(moment -> moment >= 0,
    -- include part-moments
    )) AS moments
FROM
(
    SELECT
        *,
        -- include part-facts
        -- include part-spans
        ,
        -- include part-waits
    FROM
    (
        SELECT
            *,
            -- include part-keys
        FROM
        (
            SELECT
                _part AS part, class, user_id, state, valid_from, created_at, completed_at, due_date, first_due_date, reviewers_due_date,
                first_submitted_at, first_graded_at, grade, due_spans, sign,
                false AS has_left, -- unless without_leavers
                user_id IN ( -- if without_leavers
                -- include leavers-at -- if without_leavers
                ) AS has_left -- if without_leavers
            FROM rollcall.open_versions -- unless closed
            FROM rollcall.closed_versions -- if closed
            WHERE _part IN {parts:Array(String)}
                AND valid_to > as_of -- if closed
                AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
        )
    )
)
LIMIT {limit:UInt32}
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 0
