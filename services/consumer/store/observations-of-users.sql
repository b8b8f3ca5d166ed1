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
    email
FROM rollcall.user_observations
WHERE user_id IN {users:Array(String)}
SETTINGS output_format_json_quote_64bit_integers = 0
