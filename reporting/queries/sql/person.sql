-- One person as of an instant: name, teams, managers, how many direct reports the reader may see, whether active.
WITH
    -- Never empty: transform() refuses an empty list.
    (SELECT (arrayPushBack(groupArray(id), ''), arrayPushBack(groupArray(name), '')) FROM (SELECT id, argMax(name, (last_seen, name)) AS name FROM rollcall.names WHERE kind = 'team' GROUP BY id)) AS team_names
SELECT
    user_id,
    person.name AS user_name, -- if named
    '' AS user_name, -- unless named
    arrayMap(id -> (id, transform(id, team_names.1, team_names.2, id)), person.teams) AS teams,
    (
        SELECT arrayMap(each -> (each.2, each.1), arraySort(groupArray((manager.name, link.manager_id)))) -- if named
        SELECT arrayMap(id -> (id, ''), arraySort(groupArray(link.manager_id))) -- unless named
        FROM rollcall.links_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS link
        LEFT JOIN (SELECT user_id, name FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS manager ON manager.user_id = link.manager_id
        WHERE link.report_id = {users:Array(String)}[1]
            AND link.manager_id IN (SELECT arrayJoin(JSONExtract(materialize({seen_and_self:String}), 'Array(String)'))) -- if seen
    ) AS managers,
    (
        SELECT uniqExact(report_id)
        FROM rollcall.links_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
        WHERE manager_id = {users:Array(String)}[1] AND report_id != manager_id
            AND report_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    ) AS reports,
    active AS is_active
FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS person
WHERE user_id IN {users:Array(String)}
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
