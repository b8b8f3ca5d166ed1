-- Who is in one of the teams, or in a team of one of the people, as of an instant; leavers included.
WITH
    people AS (SELECT user_id, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})),
    (SELECT groupUniqArrayArray(teams) FROM people WHERE user_id IN {teams_of:Array(String)}) AS shared
SELECT user_id
FROM people
WHERE user_id != '' AND user_id NOT IN {teams_of:Array(String)} AND hasAny(teams, arrayConcat({teams:Array(String)}, shared))
