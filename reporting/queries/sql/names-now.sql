SELECT kind, id, argMax(name, (last_seen, name)) AS name
FROM rollcall.names
-- Names of what the people ever had to do with who may be seen; another team or challenge may tell of somebody else.
WHERE kind = 'team' AND id IN (SELECT arrayJoin(teams) FROM rollcall.user_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)')))) -- if seen
    OR kind = 'challenge' AND id IN ( -- if seen
        SELECT challenge_id FROM rollcall.open_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
        UNION DISTINCT -- if seen
        SELECT challenge_id FROM rollcall.closed_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
    ) -- if seen
GROUP BY kind, id
