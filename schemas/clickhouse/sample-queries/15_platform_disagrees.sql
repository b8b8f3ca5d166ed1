-- Where does the platform’s own overdue flag differ from the dates? It is as old as the last event.
SELECT is_overdue AS platform_says, overdue AS dates_say, count() AS assignments
FROM rollcall.assignments
WHERE reported_mismatch
GROUP BY platform_says, dates_say
ORDER BY assignments DESC
