SELECT
    challenge_id, -- if by_challenge
    team_id, -- if by_team
    manager_id, -- if by_manager
    count() AS assigned,
    completion_numerator / assigned AS completion_rate,
    countIf(line.completed) AS completion_numerator,
    count() AS completion_denominator,
    if(on_time_denominator = 0, NULL, on_time_numerator / on_time_denominator) AS on_time_rate,
    countIf(decided AND line.completed AND due_key(completed_at) <= due_key(due_date)) AS on_time_numerator,
    countIf(decided) AS on_time_denominator,
    countIf(line.overdue) AS overdue,
    countIf(line.awaiting_grading) AS awaiting_grading,
    if(grade_n = 0, NULL, quantileExactInclusiveIf(0.5)(assumeNotNull(calculated_grade), has_grade)) AS grade_median,
    countIf(has_grade) AS grade_n
    , uniqExact(user_id) AS people, any(direct.reports) AS direct_reports -- if by_manager
FROM
(
    SELECT
        * EXCEPT (challenge_id), ifNull(scope.challenge_id, '') AS challenge_id, -- if by_challenge
        -- Somebody in two teams counts in both; no team is the empty one. -- if by_team
        *, arrayJoin(if(empty(teams), [''], teams)) AS team_id, -- if by_team
        -- Somebody under two managers counts under both. -- if by_manager
        *, -- if by_manager
        graded AND calculated_grade IS NOT NULL AS has_grade,
        -- Neither left out of the rate, nor still with time to be completed.
        due_date IS NOT NULL AND NOT failed AND NOT awaiting_grading
            AND if(completed, completed_at IS NOT NULL, due_key(due_date) < due_key(as_of)) AS decided
    FROM scope
    INNER JOIN below ON below.person = scope.user_id -- if by_manager
) AS line
INNER JOIN (SELECT manager_id, count() AS reports FROM lines GROUP BY manager_id) AS direct ON direct.manager_id = line.manager_id -- if by_manager
GROUP BY challenge_id -- if by_challenge
GROUP BY team_id -- if by_team
GROUP BY manager_id -- if by_manager
ORDER BY assigned DESC, 1
