-- Every pair that one of these people ever named, as manager or as report. Nobody is his own manager.
SELECT DISTINCT managerId, reportId
FROM
(
    SELECT arrayJoin(managers) AS managerId, user_id AS reportId FROM rollcall.user_observations WHERE user_id IN {users:Array(String)}
    UNION ALL
    SELECT user_id AS managerId, arrayJoin(direct_reports) AS reportId FROM rollcall.user_observations WHERE user_id IN {users:Array(String)}
)
WHERE managerId != reportId
