-- The direct managers of each person (row.person_id), in the order of their names.
LEFT JOIN
(
    SELECT report_id, arrayMap(named -> (named.2, named.1), arraySort(groupArray((manager.name, link.manager_id)))) AS managers -- if named
    SELECT report_id, arrayMap(id -> (id, ''), arraySort(groupArray(link.manager_id))) AS managers -- unless named
    FROM rollcall.links_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS link
    LEFT JOIN (SELECT user_id, name FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS manager ON manager.user_id = link.manager_id
    WHERE link.manager_id IN (SELECT arrayJoin(JSONExtract(materialize({seen_and_self:String}), 'Array(String)'))) -- if seen
    GROUP BY report_id
) AS line ON line.report_id = row.person_id
