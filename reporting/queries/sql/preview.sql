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
    FROM rollcall.scope_at(
            as_of = {as_of:DateTime64(3, 'UTC')},
            now = {now:DateTime64(3, 'UTC')},
            time_zone = {time_zone:String},
            due_zone = {other_due_zone:String},
            due_end = {other_due_end:String},
            due_soon_days = {due_soon_days:UInt16},
            include_leavers = true,
            challenge = [],
            team = [],
            user = [],
            fact_mask = 0,
            status_mask = 0,
            aging_mask = 0,
            assigned_from = 0,
            assigned_to = 65535,
            completed_from = 0,
            completed_to = 65535,
            due_from = 0,
            due_to = 65535
        )
    GROUP BY akey, img
    HAVING sum(sign) > 0
) AS by_others ON by_others.akey = by_settings.akey
WHERE facts_before != facts_after
GROUP BY facts_before, facts_after
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
