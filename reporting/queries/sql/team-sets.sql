-- Counts by set of teams; a person in two teams counts in both. A person's rows are joined without collapsing them first, with their
-- signs as factors: collapsing costs more than the rest. Teams reported only after both the instant and now do not count.
SELECT 'teams', any(team_ids), 0, groupArray(toString(ranking)), groupArray(m), CAST(([], []) AS Map(String, Nullable(Float64)))
FROM
(
    SELECT team_set, any(teams) AS team_ids, ranking, sum(n * if(copies = 0, 1, copies)) AS m
    FROM (SELECT user_id, ranking_bits AS ranking, sign AS n FROM scope) AS member
    LEFT JOIN
    (
        SELECT user_id, sign AS copies, if(teams_seen_at <= greatest(as_of, {now:DateTime64(3, 'UTC')}), teams, []) AS teams, cityHash64(teams) AS team_set
        FROM rollcall.user_versions
        WHERE valid_from <= as_of AND valid_to > as_of
    ) AS people ON people.user_id = member.user_id
    GROUP BY team_set, ranking
    HAVING m != 0
)
GROUP BY team_set
