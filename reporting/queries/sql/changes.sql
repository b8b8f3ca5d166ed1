-- What changed in a scope between two moments, assignment by assignment. By akey, a page at a time.
WITH
    -- include changed-between
SELECT
    changes.akey AS akey,
    changes.assignment_id AS assignment_id,
    changes.user_id AS user_id,
    changes.user_id_before AS user_id_before,
    changes.challenge_id AS challenge_id,
    changes.was_there AS was_there,
    changes.is_there AS is_there,
    changes.facts_before AS facts_before,
    changes.facts_after AS facts_after,
    changes.due_before AS due_before,
    changes.due_after AS due_after,
    changes.grade_before AS grade_before,
    changes.grade_after AS grade_after,
    changes.was_in_scope AS was_in_scope,
    changes.is_in_scope AS is_in_scope,
    changes.kinds AS kinds,
    changes.by_event AS by_event,
    changes.by_time AS by_time,
    changes.by_people AS by_people,
    changes.total AS total,
    person.name AS user_name, -- if named
    '' AS user_name, -- unless named
    title.name AS challenge
FROM
(
    SELECT *
    FROM
    (
        SELECT
            akey, assignment_id, user_id, user_id_before, challenge_id, was_there, is_there, facts_before, facts_after, due_before, due_after, grade_before,
            grade_after, was_in_scope, is_in_scope, kinds, by_event, by_time, by_people, count() OVER () AS total
        FROM told
        -- A kind and a cause: the kind by that cause.
        WHERE bitAnd({event_mask:UInt16}, by_event) != 0 OR bitAnd({time_mask:UInt16}, by_time) != 0 OR bitAnd({people_mask:UInt16}, by_people) != 0
    )
    WHERE akey > {after:UInt64}
    ORDER BY akey -- Keys are hashes: any order would do, this one can go on.
    LIMIT {limit:UInt32}
) AS changes
LEFT JOIN (SELECT user_id, name FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) -- if named
    WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if named -- if seen
) AS person ON person.user_id = changes.user_id -- if named
LEFT JOIN (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'challenge' GROUP BY id) AS title ON title.id = changes.challenge_id
ORDER BY changes.akey
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
