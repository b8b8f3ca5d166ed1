-- The rows behind the numbers of a scope, a page at a time by keyset, so that a page costs the same however far down it is and the
-- order is stable. Keys first, the other columns only of the page. Times are epoch ms, 0 = unknown; facts are decoded in one place,
-- assignment-row.ts.
WITH
    -- Never empty: transform() refuses an empty list.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names,
    scope AS
    (
        SELECT
            *,
            sort_key > {after_key:Float64} -- if after -- if up -- unless by_person
            sort_key < {after_key:Float64} -- if after -- unless up -- unless by_person
            sort_key > {after_key:String} -- if after -- if up -- if by_person
            sort_key < {after_key:String} -- if after -- unless up -- if by_person
                OR (sort_key = {after_key:Float64} AND assignment_id > {after_id:String}) -- if after -- unless backwards -- unless by_person
                OR (sort_key = {after_key:Float64} AND assignment_id < {after_id:String}) -- if after -- if backwards -- unless by_person
                OR (sort_key = {after_key:String} AND assignment_id > {after_id:String}) -- if after -- unless backwards -- if by_person
                OR (sort_key = {after_key:String} AND assignment_id < {after_id:String}) -- if after -- if backwards -- if by_person
            true -- unless after
            AS is_after
        FROM
        (
        -- include sorted-rows
        )
        WHERE assignment_id = {only_assignment:String} -- if one
    ),
    page AS
    (
        SELECT akey
        FROM scope
        WHERE is_after
        GROUP BY akey, img
        HAVING sum(sign) > 0
        ORDER BY
            any(sort_key) -- if up
            any(sort_key) DESC -- unless up
            , any(assignment_id) -- unless backwards
            , any(assignment_id) DESC -- if backwards
        LIMIT {limit:UInt32}
    )
SELECT
    -- include row-columns
    -- All rows, those from here on in the direction of the page, and what all of them add up to.
    , (SELECT (sum(sign), sumIf(sign, is_after), sum(sign * units)) FROM scope) AS totals -- if with_total
    , NULL AS totals -- unless with_total
FROM
(
    SELECT
    -- include row-content
    FROM scope
    WHERE akey IN (SELECT akey FROM page)
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS row
-- include row-joins
ORDER BY
    row_key -- if up
    row_key DESC -- unless up
    , assignment.1 -- unless backwards
    , assignment.1 DESC -- if backwards
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
