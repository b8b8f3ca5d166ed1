-- The facts of the assignments in a scope by the settings, beside their facts by another due zone and due end: how many there are of
-- each pair that differs, with a few of them.
SELECT
    facts_before,
    facts_after,
    count() AS n,
    groupArraySorted(20)(id) AS assignment_ids
FROM
(
    SELECT akey, any(assignment_id) AS id, any(facts) AS facts_before
    -- include scope-at
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS by_settings
INNER JOIN
(
    SELECT akey, any(facts) AS facts_after
    -- include everything-at due_zone=other_due_zone due_end=other_due_end
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS by_others ON by_others.akey = by_settings.akey
WHERE facts_before != facts_after
GROUP BY facts_before, facts_after
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
