-- The people of a page of rows as of an instant: name, teams, direct managers in the order of their names. A row each, also for ids of nobody.
WITH
    -- Never empty, which transform() does not take.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names
SELECT
    row.person_id AS user_id,
    person.name AS user_name, -- if named
    '' AS user_name, -- unless named
    arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person.teams) AS teams,
    line.managers AS managers
FROM
(
    SELECT arrayJoin({ids:Array(String)}) AS person_id
    WHERE person_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
) AS row
LEFT JOIN
(
    SELECT user_id, name, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
    WHERE user_id IN {ids:Array(String)}
) AS person ON person.user_id = row.person_id
LEFT JOIN
(
    SELECT report_id, arrayMap(named -> (named.2, named.1), arraySort(groupArray((manager.name, link.manager_id)))) AS managers -- if named
    SELECT report_id, arrayMap(id -> (id, ''), arraySort(groupArray(link.manager_id))) AS managers -- unless named
    FROM rollcall.links_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS link
    LEFT JOIN -- if named
    ( -- if named
        SELECT user_id, name FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) -- if named
        WHERE user_id IN (SELECT manager_id FROM rollcall.link_versions WHERE report_id IN {ids:Array(String)}) -- if named
    ) AS manager ON manager.user_id = link.manager_id -- if named
    WHERE link.report_id IN {ids:Array(String)}
        AND link.manager_id IN (SELECT arrayJoin(JSONExtract(materialize({seen_and_self:String}), 'Array(String)'))) -- if seen
    GROUP BY report_id
) AS line ON line.report_id = row.person_id
SETTINGS max_execution_time = 60, output_format_json_quote_64bit_integers = 1, join_use_nulls = 0
