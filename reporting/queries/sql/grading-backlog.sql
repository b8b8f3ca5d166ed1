-- How many of the assignments in scope awaited grading at each of some earlier moments, by the state in force then: an assignment counts
-- only if it was then known, created and not deleted; its person, filters and activity are those of the scope's moment, as in the trend.
WITH
    {moments:Array(DateTime64(3, 'UTC'))} AS moments,
    arrayMap(each -> toUnixTimestamp64Milli(each), moments) AS moments_ms,
    -- Only waits that one of the moments falls into: most begin and end between two.
    waited AS
    (
        SELECT akey, valid_from, valid_to, sign
        FROM
        (
            SELECT akey, valid_from, valid_to, sign FROM rollcall.open_versions WHERE class = 1
            UNION ALL
            SELECT akey, valid_from, valid_to, sign FROM rollcall.closed_versions WHERE class = 1 AND valid_to > moments[1]
        )
        WHERE roundDown(toUnixTimestamp64Milli(valid_to) - 1, moments_ms) >= toUnixTimestamp64Milli(valid_from)
    )
SELECT position, sum(sign) AS n
FROM
(
    SELECT arrayJoin(arrayFilter(each -> valid_from <= moments[each] AND valid_to > moments[each], arrayEnumerate(moments))) AS position, sign
    FROM waited
    WHERE akey IN (
        SELECT akey
        FROM
        (
            SELECT akey, sign
            -- include scope-at
        )
        -- Few waited then: the others need not be added up.
        WHERE akey IN (SELECT akey FROM waited)
        GROUP BY akey
        HAVING sum(sign) > 0
    )
)
GROUP BY position
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0
