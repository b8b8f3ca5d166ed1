-- Holds no names of people.
-- How many assignments of a scope changed between two moments: by kind, and of each kind by cause, team and challenge. Kind 14 is all of them; an assignment that changed in several ways counts in each. Teams are those at the later moment.
WITH
    -- include changed-between
SELECT
    kind,
    multiIf(grouping(causes) = 0, 'cause', grouping(challenge_id) = 0, 'challenge', grouping(teams) = 0, 'team', 'all') AS dimension,
    if(dimension = 'team', teams, [challenge_id]) AS ids,
    causes,
    count() AS n
FROM
(
    SELECT kinds, told.causes AS causes, told.challenge_id AS challenge_id, person.teams AS teams
    FROM told
    LEFT JOIN (SELECT user_id, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
        WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    ) AS person ON person.user_id = told.user_id
)
ARRAY JOIN arrayPushBack(arrayFilter(bit -> bitTest(kinds, bit), range(14)), 14) AS kind
GROUP BY GROUPING SETS ((kind), (kind, causes), (kind, challenge_id), (kind, teams))
SETTINGS optimize_extract_common_expressions = 0, optimize_and_compare_chain = 0, max_execution_time = 60, output_format_json_quote_64bit_integers = 0, join_use_nulls = 0
