-- Of what was assigned in each week, how much is completed by now? Weeks begin on Monday, in the zone given here.
SELECT
    toMonday(toDate(created_at, 'Europe/Berlin')) AS week,
    count() AS assigned,
    countIf(completed) AS completed_assignments
FROM rollcall.assignments
GROUP BY week
ORDER BY week
