-- All rows behind the numbers of a scope, in the order of assignments.sql, as one statement: one snapshot, whatever arrives while it is
-- read. The answer is streamed, however slowly its reader takes it, hence the hour; what sorting and grouping cannot hold goes to disk.
WITH
    -- Never empty: transform() refuses an empty list.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names,
    scope AS
    (
        -- include sorted-rows
    )
SELECT
    -- include row-columns
    , person.name AS user_name -- if named
    , '' AS user_name -- unless named
    , arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person.teams) AS teams
    , line.managers AS managers
FROM
(
    SELECT
    -- include row-content
    FROM scope
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS row
-- include row-title
-- include row-joins
ORDER BY
    row_key -- if up
    row_key DESC -- unless up
    , assignment.1
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 3600, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0,
    max_bytes_before_external_sort = 200000000, max_bytes_before_external_group_by = 200000000, max_block_size = 8192
