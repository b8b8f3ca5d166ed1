-- Every pair that one of these people ever named, as manager or as report, and how often these two have said anything: what one statement
-- about the pair has to read. Nobody is his own manager.
SELECT managerId, reportId, sum(said) AS said
FROM
(
    SELECT arrayJoin(named) AS managerId, user_id AS reportId, said
    FROM (SELECT user_id, groupUniqArrayArray(managers) AS named, count() AS said FROM rollcall.user_observations WHERE user_id IN {users:Array(String)} GROUP BY user_id)
    UNION ALL
    SELECT user_id AS managerId, arrayJoin(named) AS reportId, said
    FROM (SELECT user_id, groupUniqArrayArray(direct_reports) AS named, count() AS said FROM rollcall.user_observations WHERE user_id IN {users:Array(String)} GROUP BY user_id)
)
WHERE managerId != reportId
GROUP BY managerId, reportId
SETTINGS output_format_json_quote_64bit_integers = 0
