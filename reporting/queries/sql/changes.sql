-- What changed in a scope between two moments: assignments that came into it, left it, or whose facts differ. Each moment is asked twice:
-- for the scope, and for everything whatever its person and filters, so that the reason can be told: another state (an event),
-- the same state with other facts (time has passed), or the same in everything but people. By akey, a page at a time.
WITH
    every_state AS
    (
        SELECT akey, is_after, any(assignment_id) AS id, any(toString(user_id)) AS person, any(toString(challenge_id)) AS challenge_key, any(facts) AS facts, any(img) AS image
        FROM
        (
            SELECT false AS is_after, akey, assignment_id, user_id, challenge_id, facts, img, sign
            FROM rollcall.scope_at(
                as_of = {from:DateTime64(3, 'UTC')},
                now = {now:DateTime64(3, 'UTC')},
                time_zone = {time_zone:String},
                due_zone = {due_zone:String},
                due_end = {due_end:String},
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
            UNION ALL
            SELECT true AS is_after, akey, assignment_id, user_id, challenge_id, facts, img, sign
            FROM rollcall.scope_at(
                as_of = {as_of:DateTime64(3, 'UTC')},
                now = {now:DateTime64(3, 'UTC')},
                time_zone = {time_zone:String},
                due_zone = {due_zone:String},
                due_end = {due_end:String},
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
        )
        GROUP BY akey, is_after, img
        HAVING sum(sign) > 0
    ),
    in_scope AS
    (
        SELECT akey, is_after
        FROM
        (
            SELECT false AS is_after, akey, img, sign
            FROM rollcall.scope_at(
                as_of = {from:DateTime64(3, 'UTC')},
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
            WHERE ({under_from:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under_from:String}), 'Array(String)'))))
            UNION ALL
            SELECT true AS is_after, akey, img, sign
            -- include scope-at
        )
        GROUP BY akey, is_after, img
        HAVING sum(sign) > 0
    ),
    changed AS
    (
        SELECT
            akey,
            any(id) AS assignment_id,
            argMax(person, is_after) AS user_id,
            argMax(challenge_key, is_after) AS challenge_id,
            countIf(NOT is_after) > 0 AS was_there,
            countIf(is_after) > 0 AS is_there,
            anyIf(facts, NOT is_after) AS facts_before,
            anyIf(facts, is_after) AS facts_after,
            anyIf(image, NOT is_after) != anyIf(image, is_after) AS is_other_state,
            countIf(NOT is_after AND is_member) > 0 AS was_in_scope,
            countIf(is_after AND is_member) > 0 AS is_in_scope
        FROM (SELECT *, (akey, is_after) IN (SELECT akey, is_after FROM in_scope) AS is_member FROM every_state)
        GROUP BY akey
        HAVING was_in_scope != is_in_scope OR (was_in_scope AND facts_before != facts_after)
    )
SELECT *, (SELECT count() FROM changed) AS total
FROM changed
WHERE akey > {after:UInt64}
ORDER BY akey -- Keys are hashes: any order would do, this one can go on.
LIMIT {limit:UInt32}
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
