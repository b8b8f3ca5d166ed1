-- What was said about pairs of manager and report, by either of them: of each pair the instants at which it came out
-- differently than before. At one instant a pull beats an event, of two pulls the one that says "there", then the higher id.
-- The pairs come as one text, a JSON array of arrays: as lists of literals a few thousand take longer to plan than to answer.
-- Lists are compared by hash, so that the join does not carry a manager's list once for each of his reports.
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
