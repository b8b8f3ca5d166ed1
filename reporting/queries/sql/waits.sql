-- How long the assignments of a scope took to be completed, or have been open so far, by whole days since they were created: what a
-- survival curve is drawn from. Of those that may still be completed a few hundred ids for each day.
SELECT
    kind,
    days,
    count() AS n,
    if(kind = 'open', groupArraySorted(500)(id), []) AS assignment_ids
FROM
(
    SELECT
        any(assignment_id) AS id,
        any(bitTest(state, 0)) AS is_completed,
        any(completed_at) AS finished_at,
        any(created_at) AS began_at,
        -- Where either was never sent nobody knows how long it took.
        multiIf(
            is_completed AND (toUnixTimestamp64Milli(finished_at) = 0 OR any(bitTest(state, 12))), 'completed_unmeasured',
            is_completed, 'completed',
            any(bitTest(state, 1)), 'failed',
            any(bitTest(state, 12)), 'open_unmeasured',
            'open'
        ) AS kind,
        greatest(0, intDiv(toUnixTimestamp64Milli(if(kind = 'completed', finished_at, {as_of:DateTime64(3, 'UTC')})) - toUnixTimestamp64Milli(began_at), 86400000)) AS days
    FROM
    (
        SELECT *
        FROM rollcall.scope_at(
            as_of = {as_of:DateTime64(3, 'UTC')},
            now = {now:DateTime64(3, 'UTC')},
            time_zone = {time_zone:String},
            due_zone = {due_zone:String},
            due_end = {due_end:String},
            due_soon_days = {due_soon_days:UInt16},
            include_leavers = {include_leavers:Bool},
            challenge = {challenge:Array(String)},
            team = {team:Array(String)},
            user = {user:Array(String)},
            fact_mask = {fact_mask:UInt64},
            status_mask = {status_mask:UInt64},
            aging_mask = {aging_mask:UInt64},
            assigned_from = {assigned_from:UInt16},
            assigned_to = {assigned_to:UInt16},
            completed_from = {completed_from:UInt16},
            completed_to = {completed_to:UInt16},
            due_from = {due_from:UInt16},
            due_to = {due_to:UInt16}
        )
        -- Whoever is under the managers asked for; outside of the view, where it costs the planner least.
        WHERE {under:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)')))
    )
    GROUP BY akey, img
    HAVING sum(sign) > 0
)
GROUP BY kind, days
ORDER BY kind, days -- As the curve is walked.
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
