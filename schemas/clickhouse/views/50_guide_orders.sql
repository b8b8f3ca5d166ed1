-- The analysts' contract: who ordered which guide for which person, and the outcome, one row per order and person.
CREATE OR REPLACE VIEW rollcall.guide_orders
(
    order_id String COMMENT 'Id of the order',
    asked_at DateTime64(3, 'UTC') COMMENT 'When it was confirmed',
    asked_by Nullable(String) COMMENT 'Who ordered; null = unknown',
    reason String COMMENT 'The list that the people come from',
    guide_id String COMMENT 'Id of the guide',
    guide String COMMENT 'Title of the guide at that time',
    due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'Its due date',
    user_id String COMMENT 'Id of the person',
    outcome String COMMENT 'planned, waiting (not done yet), unknown (no answer), assigned, already (had it), left, refused or gave_up',
    assignment_id Nullable(String) COMMENT 'Id of the guide assignment',
    tries UInt64 COMMENT 'Calls made for this person, since it was last asked for',
    last_step_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it last changed',
    detail String COMMENT 'Code of the last error, or why'
) AS
SELECT
    ordered.order_id AS order_id,
    asked_at,
    asked_by,
    reason,
    ordered.guide_id AS guide_id,
    guide,
    due_date,
    ordered.user_id AS user_id,
    if(done.last_end != '', done.last_end, transform(done.last_state, ['', 'intended', 'not_sent', 'sent'], ['planned', 'unknown', 'waiting', 'assigned'], done.last_state)) AS outcome,
    if(outcome IN ('assigned', 'already'), nullIf(done.last_detail, ''), NULL) AS assignment_id,
    done.calls AS tries,
    nullIf(done.last_at, toDateTime64(0, 3, 'UTC')) AS last_step_at,
    if(outcome IN ('assigned', 'already'), '', done.last_detail) AS detail
FROM
(
    SELECT
        key AS order_id,
        fromUnixTimestamp64Milli(JSONExtractInt(value, 'askedAtMs'), 'UTC') AS asked_at,
        nullIf(JSONExtractString(value, 'askedBy'), '') AS asked_by,
        JSONExtractString(value, 'reason') AS reason,
        JSONExtractString(value, 'guideId') AS guide_id,
        JSONExtractString(value, 'guideTitle') AS guide,
        if(JSONType(value, 'dueDateMs') = 'Null', NULL, fromUnixTimestamp64Milli(JSONExtractInt(value, 'dueDateMs'), 'UTC')) AS due_date,
        arrayJoin(JSONExtract(value, 'userIds', 'Array(String)')) AS user_id,
        JSONExtractInt(value, 'askedAgainMs', user_id) AS asked_again,
        if(asked_again = 0, order_id, concat(order_id, ' ', toString(asked_again))) AS thing
    FROM rollcall.records FINAL
    WHERE kind = 'guide_order' AND version > 0
) AS ordered
LEFT JOIN
(
    SELECT
        JSONExtractString(value, 'thing') AS thing,
        decodeURLComponent(splitByChar('/', key)[2]) AS user_id,
        argMax(JSONExtractString(value, 'state'), changed_at) AS last_state,
        argMax(JSONExtractString(value, 'end'), changed_at) AS last_end,
        argMax(JSONExtractString(value, 'detail'), changed_at) AS last_detail,
        max(changed_at) AS last_at,
        countIf(JSONExtractString(value, 'state') != 'skipped') AS calls
    FROM rollcall.records FINAL
    WHERE kind = 'guide_claim' AND JSONExtractString(value, 'state') != 'withdrawn'
    GROUP BY thing, user_id
) AS done ON done.thing = ordered.thing AND done.user_id = ordered.user_id
COMMENT 'Orders of guides: who ordered, for which person, and the outcome'
