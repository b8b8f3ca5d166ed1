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
    outcome String COMMENT 'planned, calling, unknown (no answer), waiting (certainly not done yet), assigned, given (acknowledged, not verified), already (had it), left, refused, gave_up, taking_back, taken_back or kept (could not be taken back)',
    assignment_id Nullable(String) COMMENT 'Id of the guide assignment',
    tries UInt64 COMMENT 'Calls made or planned for this person',
    last_step_at Nullable(DateTime64(3, 'UTC')) COMMENT 'When it last changed',
    detail String COMMENT 'Code of the last error, or why',
    needs_decision Bool COMMENT 'No answer, and no list to check: a person decides'
) AS
SELECT
    ordered.order_id AS order_id,
    asked_at,
    nullIf(asked_by, '') AS asked_by,
    reason,
    guide_id,
    guide_title AS guide,
    nullIf(ordered.due_date, toDateTime64(0, 3, 'UTC')) AS due_date,
    ordered.user_id AS user_id,
    transform(done.last_state, ['', 'intended', 'not_done', 'again', 'unanswered', 'take_back'], ['planned', 'calling', 'waiting', 'waiting', 'unknown', 'taking_back'], done.last_state) AS outcome,
    nullIf(done.last_assignment_id, '') AS assignment_id,
    done.intents AS tries,
    nullIf(done.last_at, toDateTime64(0, 3, 'UTC')) AS last_step_at,
    done.last_detail AS detail,
    toBool(done.last_state = 'unanswered') AS needs_decision
FROM
(
    SELECT order_id, asked_at, asked_by, reason, guide_id, guide_title, due_date, user_id
    FROM rollcall.guide_order_rows FINAL
    ARRAY JOIN user_ids AS user_id
) AS ordered
LEFT JOIN
(
    SELECT
        order_id,
        user_id,
        argMax(state, (step, at)) AS last_state,
        argMax(assignment_id, (step, at)) AS last_assignment_id,
        argMax(detail, (step, at)) AS last_detail,
        max(at) AS last_at,
        countIf(state = 'intended') AS intents
    FROM rollcall.guide_order_steps FINAL
    WHERE state != 'withdrawn'
    GROUP BY order_id, user_id
) AS done ON done.order_id = ordered.order_id AND done.user_id = ordered.user_id
COMMENT 'Orders of guides: who ordered, for which person, and the outcome'
