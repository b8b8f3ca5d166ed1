-- Guide assignments in scope, counted by their facts; what was pulled last, and the names. One statement, one snapshot.
WITH
    (SELECT max(complete_since) FROM rollcall.pulls WHERE job = 'guide-assignments') AS swept_from,
    counted AS
    (
        SELECT guide_id, teams, completed, due_known, completed_at_known, completed_in_time, late, unseen, count() AS count
        FROM
        (
            -- include guides-in-scope
        )
        GROUP BY ALL
    )
SELECT
    (SELECT groupArray((guide_id, teams, completed, due_known, completed_at_known, completed_in_time, late, unseen, count)) FROM counted) AS facts,
    (
        SELECT groupArray((guide_id, ifNull(title, '')))
        FROM rollcall.guides
        WHERE guide_id IN (SELECT guide_id FROM rollcall.guide_assignments WHERE ifNull(user_id, '') IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)')))) -- if seen
    ) AS guides,
    (
        SELECT groupArray((id, name))
        FROM
        (
            SELECT id, argMax(name, (last_seen, name)) AS name
            FROM rollcall.names
            WHERE kind = 'team'
                AND id IN (SELECT arrayJoin(teams) FROM rollcall.user_versions WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)')))) -- if seen
            GROUP BY id
        )
    ) AS teams,
    (SELECT groupArray((job, toUnixTimestamp64Milli(assumeNotNull(last_success_at)))) FROM rollcall.pulls WHERE last_success_at IS NOT NULL) AS pulls,
    (SELECT toBool(count() > 0) FROM rollcall.settings WHERE name = 'sample' AND value = 'true') AS is_sample
SETTINGS output_format_json_quote_64bit_integers = 0, output_format_json_named_tuples_as_objects = 0
