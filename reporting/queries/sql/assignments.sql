-- The rows behind the numbers of a scope, a page at a time by keyset, so that the order is stable. Times are epoch ms, 0 = unknown; facts are
-- decoded in one place, assignment-row.ts.
-- The first {most_rows} signed rows are taken as they are and collapsed afterwards: collapsing the whole scope costs more than all the rest.
-- Equal rows lie side by side in the order, so only the last of so many may lack its twin; read-rows.ts leaves that one out.
WITH
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
    )
SELECT
    -- include row-columns
    , copies
    , taken
    -- All rows, those from here on in the direction of the page, and what all of them add up to.
    , (SELECT (sum(sign), sumIf(sign, is_after), sum(sign * units)) FROM scope) AS totals -- if with_total
    , NULL AS totals -- unless with_total
FROM
(
    SELECT
    -- include row-content
        , sum(sign) AS copies
        , count() AS taken
        , img
    FROM
    (
        SELECT *
        FROM scope
        WHERE is_after
        ORDER BY
            sort_key -- if up
            sort_key DESC -- unless up
            , assignment_id -- unless backwards
            , assignment_id DESC -- if backwards
            , img
        LIMIT {most_rows:UInt32}
    )
    GROUP BY akey, img
) AS row
-- include row-title
ORDER BY
    row_key -- if up
    row_key DESC -- unless up
    , assignment.1 -- unless backwards
    , assignment.1 DESC -- if backwards
    , img
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
