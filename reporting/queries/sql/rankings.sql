-- What the Overview has besides the metrics, in rows as those of blocks.sql, from the named parts of the tables.
WITH
    {as_of:DateTime64(3, 'UTC')} AS as_of,
    found AS
    (
        SELECT class, user_id, state, completed_at, due_date, challenge_id, sign
        FROM
        (
            SELECT class, user_id, state, completed_at, due_date, challenge_id, sign
            FROM rollcall.open_versions
            WHERE _part IN {parts:Array(String)} AND class != 3 AND valid_from <= as_of
            UNION ALL -- if closed
            SELECT class, user_id, state, completed_at, due_date, challenge_id, sign -- if closed
            FROM rollcall.closed_versions -- if closed
            WHERE _part IN {closed_parts:Array(String)} AND valid_to > as_of AND class != 3 AND valid_from <= as_of -- if closed
        )
        WHERE true
            AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
            AND user_id NOT IN ( -- if without_leavers
            -- include leavers-at -- if without_leavers
            ) -- if without_leavers
    ),
    scope AS
    (
        SELECT
            -- include ranking-bits
            user_id, challenge_id, sign,
            if(due_known, toUInt16(toMonday(due_key)), 65535) AS due_week,
            toUnixTimestamp64Milli(due_date) != 0 AS due_known,
            toUnixTimestamp64Milli(completed_at) != 0 AS completed_known,
            toDate(as_of, {due_zone:String}) AS today_key,
            toDate(due_date, {due_zone:String}) AS due_key,
            toDate(completed_at, {due_zone:String}) AS completed_key
        FROM found
    )
SELECT 'challenges' AS kind, [toString(challenge_id)] AS ids, 0 AS day, groupArray(toString(ranking_bits)) AS bits, groupArray(n) AS counts, CAST(([], []) AS Map(String, Nullable(Float64))) AS numbers
FROM (SELECT challenge_id, ranking_bits, sum(sign) AS n FROM scope GROUP BY challenge_id, ranking_bits HAVING n != 0)
GROUP BY challenge_id
UNION ALL
SELECT 'due_weeks', [], due_week, groupArray(toString(ranking_bits)), groupArray(n), CAST(([], []) AS Map(String, Nullable(Float64)))
FROM (SELECT due_week, ranking_bits, sum(sign) AS n FROM scope GROUP BY due_week, ranking_bits HAVING n != 0)
GROUP BY due_week
UNION ALL
-- include team-sets
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
