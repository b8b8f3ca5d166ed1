-- Holds no names of people.
-- Guide assignments in scope, counted by their facts; what was pulled last, and the names. One statement, one snapshot.
WITH
    (SELECT max(complete_since) FROM rollcall.pulls WHERE job = 'guide-assignments') AS swept_from,
    counted AS
    (
        SELECT guide_id, teams, completed, due_known, completed_at_known, completed_in_time, late, unseen, count() AS count
        FROM
        (
            SELECT
                guide_id,
                person.teams AS teams,
                completed,
                due_date IS NOT NULL AS due_known,
                completed_at IS NOT NULL AS completed_at_known,
                -- Days in the due zone, or instants. Late means after the due day or instant.
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(ifNull(due_date, toDateTime64(0, 3, 'UTC'))), toInt64(toDate(ifNull(due_date, toDateTime64(0, 3, 'UTC')), {due_zone:String}))) AS due_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli(ifNull(completed_at, toDateTime64(0, 3, 'UTC'))), toInt64(toDate(ifNull(completed_at, toDateTime64(0, 3, 'UTC')), {due_zone:String}))) AS completed_key,
                if({due_end:String} = 'instant', toUnixTimestamp64Milli({now:DateTime64(3, 'UTC')}), toInt64(toDate({now:DateTime64(3, 'UTC')}, {due_zone:String}))) AS today_key,
                due_known AND due_key < today_key AS late,
                completed AND due_known AND completed_at_known AND completed_key <= due_key AS completed_in_time,
                swept_from IS NOT NULL AND observed_at < assumeNotNull(swept_from) AS unseen
            FROM rollcall.guide_assignments AS given
            LEFT JOIN rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) AS person
                ON person.user_id = ifNull(given.user_id, '')
            WHERE NOT archived AND NOT deleted
                AND (empty(person.user_id) OR person.active OR {include_leavers:Bool})
                AND (empty({guide:Array(String)}) OR guide_id IN {guide:Array(String)})
                AND (empty({user:Array(String)}) OR given.user_id IN {user:Array(String)})
                AND (empty({team:Array(String)}) OR hasAny(person.teams, {team:Array(String)}))
                AND ifNull(given.user_id, '') IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
                AND ({under:String} = '' OR given.user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)'))))
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
