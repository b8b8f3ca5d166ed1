-- How long did the completed ones take? Those still running are left out here, which flatters young challenges; the metric
-- time_to_complete of the API counts them as censored.
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS completed_assignments,
    round(quantileExactInclusive(0.5)(greatest(dateDiff('hour', created_at, completed_at), 0)) / 24, 1) AS median_days,
    round(quantileExactInclusive(0.9)(greatest(dateDiff('hour', created_at, completed_at), 0)) / 24, 1) AS p90_days
FROM rollcall.assignments
WHERE completed AND completed_at IS NOT NULL AND NOT created_at_assumed
GROUP BY challenge_id
ORDER BY median_days DESC, challenge_id
