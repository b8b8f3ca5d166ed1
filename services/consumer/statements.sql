-- name: count-shares
-- In how many shares all assignments and people are read.
SELECT toUInt8(least(250, 1 + intDiv(count(), 10000))) AS shares FROM rollcall.event_rows

-- name: all-assignments
-- Keys of one share of all assignments.
SELECT toString(akey) AS akey
FROM (SELECT DISTINCT akey FROM rollcall.event_rows WHERE type_number > 0 AND akey % {shares:UInt8} = {share:UInt8})

-- name: all-people
-- The people of one share about whom the store has anything.
SELECT DISTINCT user_id AS userId
FROM rollcall.user_observations
WHERE cityHash64(user_id) % {shares:UInt8} = {share:UInt8}

-- name: end-of-positions
SELECT max(next_offset) AS end FROM rollcall.log_positions
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: erased-people
SELECT
    user_id AS userId,
    groupUniqArrayArray(email_hashes) AS emailHashes,
    groupUniqArrayArray(arrayZip(mapKeys(titles), mapValues(titles))) AS titles
FROM rollcall.erasures
GROUP BY user_id

-- name: failed-deliveries
-- Which of these failed events are in the table, and with which deliveries.
SELECT replaceAll(toString(event_id), '-', '') AS eventId, log_partition AS partition, log_offset AS offset
FROM rollcall.failed_event_rows
WHERE event_id IN {ids:Array(UUID)}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: forget-attributes
-- Rows that take others back, too. Their hashes no longer say what they hold until their people are folded again.
ALTER TABLE rollcall.user_versions
    UPDATE attributes = mapFilter((attribute, _) -> has({allowed:Array(String)}, attribute), attributes)
    WHERE NOT hasAll({allowed:Array(String)}, mapKeys(attributes))
    SETTINGS mutations_sync = 2

-- name: forget-attributes-said
ALTER TABLE rollcall.user_observations
    UPDATE attributes = mapFilter((attribute, _) -> has({allowed:Array(String)}, attribute), attributes)
    WHERE NOT hasAll({allowed:Array(String)}, mapKeys(attributes))
    SETTINGS mutations_sync = 2

-- name: forget-body
ALTER TABLE rollcall.event_bodies
    DELETE WHERE event_id = {id:UUID}
    SETTINGS mutations_sync = 2

-- name: forget-event
-- Of this delivery only.
ALTER TABLE rollcall.event_rows
    DELETE WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND log_partition = {partition:UInt32} AND log_offset = {offset:UInt64}
    SETTINGS mutations_sync = 2

-- name: forget-observation
ALTER TABLE rollcall.user_observations
    DELETE WHERE user_id = {user:String} AND kind = 'event' AND observation_id = {id:UUID}
    SETTINGS mutations_sync = 2

-- name: held-closed-versions
-- As held-open-versions, of the versions that ended at or after an instant: earlier ones cannot have changed, and the table is
-- ordered by the end, so the usual batch reads only its tail.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.closed_versions
WHERE valid_to >= fromUnixTimestamp64Milli({ended_from_ms:Int64}, 'UTC') AND akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1

-- name: held-link-versions
-- Of every pair with one of these people in it.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.link_versions
WHERE manager_id IN {users:Array(String)} OR report_id IN {users:Array(String)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1

-- name: held-open-versions
-- The rows that the table holds of the touched keys, in the text form of the insert; collapsed, so that only those that count are left.
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.open_versions
WHERE akey IN {keys:Array(UInt64)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1

-- name: held-user-versions
SELECT * EXCEPT (sign), toInt32(sum(sign)) AS n
FROM rollcall.user_versions
WHERE user_id IN {users:Array(String)}
GROUP BY ALL
HAVING n != 0
SETTINGS output_format_json_quote_64bit_integers = 1

-- name: link-statements
-- The statements about pairs of manager and report, by either of them: of each pair the instants at which it came out
-- differently than before. At one instant a pull beats an event, of two pulls the one that says "there", then the higher id.
-- The pairs come as one text, a JSON array of arrays: as lists of literals a few thousand take longer to plan than to answer.
-- Lists are compared by hash, so that the join does not carry a manager's list once for each report.
WITH
    pairs AS
    (
        SELECT pair.1 AS manager_id, pair.2 AS report_id
        FROM (SELECT arrayJoin(JSONExtract(materialize({pairs:String}), 'Array(Tuple(String, String))')) AS pair)
    ),
    said AS
    (
        SELECT manager_id, report_id, observed_at, kind, observation_id, (list, manager_id) IN (
            SELECT sipHash64(managers), arrayJoin(managers) FROM rollcall.user_observations WHERE user_id IN (SELECT report_id FROM pairs)
        ) AS there
        FROM
        (
            SELECT user_id, observed_at, kind, observation_id, sipHash64(managers) AS list
            FROM rollcall.user_observations
            WHERE has_managers AND user_id IN (SELECT report_id FROM pairs)
        ) AS observation
        INNER JOIN pairs ON pairs.report_id = observation.user_id
        UNION ALL
        SELECT manager_id, report_id, observed_at, kind, observation_id, (list, report_id) IN (
            SELECT sipHash64(direct_reports), arrayJoin(direct_reports) FROM rollcall.user_observations WHERE user_id IN (SELECT manager_id FROM pairs)
        ) AS there
        FROM
        (
            SELECT user_id, observed_at, kind, observation_id, sipHash64(direct_reports) AS list
            FROM rollcall.user_observations
            WHERE has_direct_reports AND user_id IN (SELECT manager_id FROM pairs)
        ) AS observation
        INNER JOIN pairs ON pairs.manager_id = observation.user_id
    )
SELECT
    manager_id AS managerId,
    report_id AS reportId,
    arrayFilter(
        (instant, before, nth) -> nth = 1 OR instant.2 != before.2,
        arraySort(groupArray((toUnixTimestamp64Milli(observed_at), outcome))) AS instants,
        arrayShiftRight(instants, 1),
        arrayEnumerate(instants)
    ) AS changes
FROM
(
    SELECT
        manager_id,
        report_id,
        observed_at,
        -- The text of an id sorts as METRICS.md says; UUIDs do not.
        if(max(kind = 'pull'), max(kind = 'pull' AND there), argMax(there, toString(observation_id))) AS outcome
    FROM said
    GROUP BY manager_id, report_id, observed_at
)
GROUP BY manager_id, report_id
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: links-named-by-users
-- Every pair that one of these people ever named, as manager or as report, and how often these two have said anything: what one statement
-- about the pair has to read. Nobody is their own manager.
SELECT managerId, reportId, sum(said) AS said
FROM
(
    SELECT arrayJoin(named) AS managerId, user_id AS reportId, said
    FROM (SELECT user_id, groupUniqArrayArray(managers) AS named, count() AS said FROM rollcall.user_observations WHERE user_id IN {users:Array(String)} GROUP BY user_id)
    UNION ALL
    SELECT user_id AS managerId, arrayJoin(named) AS reportId, said
    FROM (SELECT user_id, groupUniqArrayArray(direct_reports) AS named, count() AS said FROM rollcall.user_observations WHERE user_id IN {users:Array(String)} GROUP BY user_id)
)
WHERE managerId != reportId
GROUP BY managerId, reportId
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: logs-of-store
-- The log that is read at present; more than one where two were taken at once. Rows without an id belong to none.
SELECT DISTINCT log_id AS id, log_begin AS begin
FROM rollcall.log_positions
WHERE log_id != '' AND log_begin = (SELECT max(log_begin) FROM rollcall.log_positions)
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: observations-of-users
-- The observations of these people, without those that only repeat the one before: thousands of events say the same of
-- somebody, and no field would come out differently.
SELECT userId, observedAtMs, kind, observationId, isDeleted, isPermanentlyDeleted, hasTeams, teams, name, email, hasAttributes, attributes
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
        has_attributes AS hasAttributes,
        attributes,
        -- As text, in which NULL is equal to NULL and differs from everything else.
        toString((is_deleted, is_permanently_deleted, has_teams, teams, name, email, has_attributes, attributes)) AS said,
        lagInFrame(said) OVER (PARTITION BY user_id ORDER BY observed_at, kind, observationId ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS said_before
    FROM rollcall.user_observations
    WHERE user_id IN {users:Array(String)}
)
WHERE said != said_before
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: open-links
-- Who reports to each of these people now, and to whom they report. Where the rows of a pair contradict each other, no observation is late
-- enough, so that the person is folded again.
SELECT
    userId,
    groupArrayIf(otherId, isManager AND is_there) AS managers,
    groupArrayIf(otherId, NOT isManager AND is_there) AS reports,
    if(
        count() = uniqExact(otherId, isManager) AND min(n) = 1 AND max(n) = 1,
        toUnixTimestamp64Milli(max(greatest(valid_from, stated_at))),
        9007199254740991
    ) AS sinceMs
FROM
(
    SELECT report_id AS userId, manager_id AS otherId, true AS isManager, is_there, valid_from, stated_at, sum(sign) AS n
    FROM rollcall.link_versions
    WHERE report_id IN {users:Array(String)} AND valid_to = toDateTime64('2200-01-01 00:00:00', 3, 'UTC')
    GROUP BY ALL
    HAVING sum(sign) != 0
    UNION ALL
    SELECT manager_id, report_id, false, is_there, valid_from, stated_at, sum(sign)
    FROM rollcall.link_versions
    WHERE manager_id IN {users:Array(String)} AND valid_to = toDateTime64('2200-01-01 00:00:00', 3, 'UTC')
    GROUP BY ALL
    HAVING sum(sign) != 0
)
GROUP BY userId
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: open-user-versions
-- What each of these people is now.
SELECT
    user_id AS userId,
    toUnixTimestamp64Milli(valid_from) AS validFromMs,
    is_deleted AS isDeleted,
    is_permanently_deleted AS isPermanentlyDeleted,
    teams,
    toUnixTimestamp64Milli(teams_seen_at) AS teamsSeenAtMs,
    name,
    email,
    attributes,
    toUnixTimestamp64Milli(attributes_seen_at) AS attributesSeenAtMs
FROM rollcall.user_versions
WHERE user_id IN {users:Array(String)} AND valid_to = toDateTime64('2200-01-01 00:00:00', 3, 'UTC')
GROUP BY ALL
HAVING sum(sign) = 1
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: partitions-of-log
SELECT DISTINCT log_partition AS partition FROM rollcall.log_positions WHERE next_offset >= {begin:UInt64}

-- name: people-with-other-attributes
SELECT DISTINCT user_id AS userId
FROM
(
    SELECT user_id FROM rollcall.user_observations WHERE NOT hasAll({allowed:Array(String)}, mapKeys(attributes))
    UNION ALL
    SELECT user_id FROM rollcall.user_versions WHERE NOT hasAll({allowed:Array(String)}, mapKeys(attributes))
)

-- name: position
-- Positions of earlier logs are before its begin.
SELECT max(next_offset) AS next, toUnixTimestamp64Milli(max(recorded_at)) AS recordedAt
FROM rollcall.log_positions
WHERE log_partition = {partition:UInt32} AND next_offset >= {begin:UInt64}
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: stored-before
-- Whether an earlier delivery has brought this event: one before it in the log, or of another partition or log.
SELECT log_offset AS offset
FROM rollcall.event_rows
WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND (log_partition != {partition:UInt32} OR log_offset < {offset:UInt64})
LIMIT 1
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: stored-of-it
SELECT
    (
        SELECT count() FROM rollcall.event_rows
        WHERE akey = {akey:UInt64} AND event_id = {id:UUID} AND log_partition = {partition:UInt32} AND log_offset = {offset:UInt64}
    ) AS events,
    (SELECT count() FROM rollcall.event_bodies WHERE event_id = {id:UUID}) AS bodies,
    (
        SELECT count() FROM rollcall.user_observations
        WHERE user_id = {user:String} AND kind = 'event' AND observation_id = {id:UUID}
    ) AS observations
SETTINGS output_format_json_quote_64bit_integers = 0

-- name: waiting-in-log
SELECT holder, records, toUnixTimestamp64Milli(oldest_at) AS oldest_at
FROM rollcall.waiting
WHERE place = 'log' AND records > 0
SETTINGS output_format_json_quote_64bit_integers = 0
