-- What was said about these people, without what only repeats the observation before it: thousands of events say the same of
-- somebody, and no field would come out differently.
SELECT userId, observedAtMs, kind, observationId, isDeleted, isPermanentlyDeleted, hasTeams, teams, name, email
FROM
(
    SELECT
        user_id AS userId,
        toUnixTimestamp64Milli(observed_at) AS observedAtMs,
        kind,
        replaceAll(toString(observation_id), '-', '') AS observationId,
        is_deleted AS isDeleted,
        is_permanently_deleted AS isPermanentlyDeleted,
        has_teams AS hasTeams,
        teams,
        name,
        email,
        -- As text, in which NULL is equal to NULL and differs from everything else.
        toString((is_deleted, is_permanently_deleted, has_teams, teams, name, email)) AS said,
        lagInFrame(said) OVER (PARTITION BY user_id ORDER BY observed_at, kind, observationId ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS said_before
    FROM rollcall.user_observations
    WHERE user_id IN {users:Array(String)}
)
WHERE said != said_before
SETTINGS output_format_json_quote_64bit_integers = 0
