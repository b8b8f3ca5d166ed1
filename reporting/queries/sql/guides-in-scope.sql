-- Guide assignments in scope as of now, with their facts, for statements to include; `swept_from` is when the last full pull began.
SELECT
    guide_id,
    assignment_id, -- if rows
    ifNull(given.user_id, '') AS user_id, -- if rows
    person.name AS user_name, -- if rows -- if named
    '' AS user_name, -- if rows -- unless named
    toUnixTimestamp64Milli(ifNull(due_date, toDateTime64(0, 3, 'UTC'))) AS due_ms, -- if rows
    toUnixTimestamp64Milli(ifNull(completed_at, toDateTime64(0, 3, 'UTC'))) AS completed_ms, -- if rows
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
