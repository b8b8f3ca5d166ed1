    -- For changed-between.sql: of each kind of a change, its cause. With the clock held, an assignment has `facts_held` at the second moment.
    weighed AS
    (
        SELECT
            *,
            bitOr(gained, lost) AS differing,
            bitAnd(differing, bitNot(bitXor(facts_before, facts_held))) AS timed,
            is_there AND fits
                AND ({fact_mask:UInt64} = 0 OR bitAnd(facts_after, {fact_mask:UInt64}) != 0) AND ({status_mask:UInt64} = 0 OR bitAnd(facts_after, {status_mask:UInt64}) != 0) AND ({aging_mask:UInt64} = 0 OR bitAnd(facts_after, {aging_mask:UInt64}) != 0) -- if only_facts
                AS fits_after,
            is_there AND fits AND NOT is_created_by_time
                AND ({fact_mask:UInt64} = 0 OR bitAnd(facts_held, {fact_mask:UInt64}) != 0) AND ({status_mask:UInt64} = 0 OR bitAnd(facts_held, {status_mask:UInt64}) != 0) AND ({aging_mask:UInt64} = 0 OR bitAnd(facts_held, {aging_mask:UInt64}) != 0) -- if only_facts
                AS fits_held,
            -- Whether the person of the second moment was in scope at the first.
            ({under_from:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under_from:String}), 'Array(String)'))))
                AND user_id NOT IN ( -- if without_left
                -- include leavers-at as_of=from -- if without_left
                ) -- if without_left
                AND user_id IN ( -- if only_team
                -- include team-members-at as_of=from -- if only_team
                ) -- if only_team
                AS fits_person,
            bitAnd(named_kinds, 6144) AS moved_kinds
        FROM named
    ),
    moved AS
    (
        SELECT
            *,
            moved_kinds * ((fits_held AND fits_person) != was_in_scope) AS moved_by_event,
            moved_kinds * ((fits_after AND fits_person) != was_in_scope) AS moved_by_any
        FROM weighed
    ),
    caused AS
    (
        SELECT
            *,
            toUInt16(
                bitAnd(moved_by_any, bitNot(moved_by_event))
                + bitAnd(named_kinds, 1) * is_created_by_time
                + bitAnd(named_kinds, 2) * bitTest(timed, 25)
                + bitAnd(named_kinds, 8) * bitTest(timed, 2)
                + bitAnd(named_kinds, 16) * bitTest(timed, 3)
                + bitAnd(named_kinds, 32) * bitTest(timed, 0)
                + bitAnd(named_kinds, 64) * bitTest(timed, 1)
                + 8192 * (named_kinds = 0 AND timed != 0)
            ) AS by_time,
            toUInt16(bitAnd(moved_kinds, bitNot(bitOr(moved_by_event, moved_by_any)))) AS by_people,
            -- What has no name may have two causes.
            toUInt16(bitAnd(named_kinds, bitNot(bitOr(by_time, by_people))) + 8192 * (named_kinds = 0 AND (timed = 0 OR timed != differing))) AS by_event
        FROM moved
    ),
