SELECT due_day AS day, count() AS due, countIf(submitted) AS handed_in, countIf(failed AND NOT submitted) AS failed, countIf(open) AS open
FROM scope
WHERE due_day BETWEEN due_today AND due_today + 13
GROUP BY due_day
ORDER BY due_day
