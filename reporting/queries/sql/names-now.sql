SELECT kind, id, argMax(name, (last_seen, name)) AS name
FROM rollcall.names
-- Only names of teams and challenges that the visible people ever had: another name may tell something about a stranger.
WHERE kind = 'team' AND id IN (SELECT arrayJoin(teams) FROM rollcall.user_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)')))) -- if seen
    OR kind = 'challenge' AND id IN ( -- if seen
        SELECT challenge_id FROM rollcall.open_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
        UNION DISTINCT -- if seen
        SELECT challenge_id FROM rollcall.closed_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    ) -- if seen
GROUP BY kind, id
