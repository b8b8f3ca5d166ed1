-- Printed by `npm run docs:data` from schemas/webhook/event.ts and contradictions.ts.
-- The analysts' contract: every event once, although the table may hold several deliveries of it. The first delivery counts.
CREATE OR REPLACE VIEW rollcall.events
(
    event_id String COMMENT 'First 32 hexadecimal digits of SHA-256 over the raw body',
    event_type String COMMENT 'eventType as sent',
    event_time DateTime64(3, 'UTC') COMMENT 'timestamp of the event',
    received_at DateTime64(3, 'UTC') COMMENT 'When it was received, first delivery',
    source String COMMENT 'Name of the ingest token by which it came',
    recognised Bool COMMENT 'Whether its type makes states: assignmentCreated.challenge, assignmentProgress.challenge, assignmentCompleted.challenge, assignmentDeleted.challenge',
    type_order UInt8 COMMENT 'Order of the types that make states among events of one moment; 0 = another type',
    assignment_id Nullable(String) COMMENT 'challengeAssignment.id',
    challenge_id Nullable(String) COMMENT 'challengeAssignment.challengeId, else challenge.id',
    user_id Nullable(String) COMMENT 'user.id as text',
    status Nullable(String) COMMENT 'Status word of the specification',
    is_completed Nullable(Bool) COMMENT 'isCompleted as sent',
    is_completed_on_time Nullable(Bool) COMMENT 'isCompletedOnTime as sent',
    is_fully_graded Nullable(Bool) COMMENT 'isFullyGraded as sent',
    is_overdue Nullable(Bool) COMMENT 'isOverdue as sent',
    is_partially_graded Nullable(Bool) COMMENT 'isPartiallyGraded as sent',
    is_submitted Nullable(Bool) COMMENT 'isSubmitted as sent',
    passed Nullable(Bool) COMMENT 'passed as sent',
    calculated_grade Nullable(Float64) COMMENT 'calculatedGrade as sent',
    completion_percentage Nullable(Float64) COMMENT 'completionPercentage as sent',
    num_days_overdue Nullable(Float64) COMMENT 'numDaysOverdue as sent',
    created_at Nullable(DateTime64(3, 'UTC')) COMMENT 'createdAt',
    updated_at Nullable(DateTime64(3, 'UTC')) COMMENT 'updatedAt',
    completed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'completedAt',
    due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'dueDate',
    reviewers_due_date Nullable(DateTime64(3, 'UTC')) COMMENT 'reviewersDueDate',
    first_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'firstViewedAt',
    last_viewed_at Nullable(DateTime64(3, 'UTC')) COMMENT 'lastViewedAt',
    drift Array(String) COMMENT 'Fields that were sent in a way the specification does not know',
    contradictions Array(String) COMMENT 'Statements of the delivery that contradict each other; they change no number. created_not_new: Created, with values that a new assignment does not have; completed_event_without_completion: Completed, although isCompleted is false; status_completed_without_completion: The status is completed, although isCompleted is false; status_failed_with_completion: The status is failed, although isCompleted is true; on_time_without_completion: isCompletedOnTime is true without isCompleted; on_time_after_due_date: isCompletedOnTime is true, although completedAt is a day or more after dueDate; fully_and_partially_graded: isFullyGraded and isPartiallyGraded are both true; completed_at_without_completion: There is a completedAt without isCompleted; days_overdue_without_overdue: numDaysOverdue is above 0, although isOverdue is false; two_challenges: challenge.id is another challenge than challengeId'
) AS
SELECT
    replaceAll(toString(event_id), '-', '') AS event_id,
    event_type,
    event_time,
    received_at,
    source,
    CAST(type_number > 0 AS Bool) AS recognised,
    CAST(indexOf([1, 2, 3, 4], type_number) AS UInt8) AS type_order,
    nullIf(assignment_id, '') AS assignment_id,
    nullIf(toString(challenge_id), '') AS challenge_id,
    nullIf(toString(user_id), '') AS user_id,
    nullIf(toString(status), '') AS status,
    CAST(if(bitTest(flags_known, 0), bitTest(flags_true, 0), NULL) AS Nullable(Bool)) AS is_completed,
    CAST(if(bitTest(flags_known, 1), bitTest(flags_true, 1), NULL) AS Nullable(Bool)) AS is_completed_on_time,
    CAST(if(bitTest(flags_known, 2), bitTest(flags_true, 2), NULL) AS Nullable(Bool)) AS is_fully_graded,
    CAST(if(bitTest(flags_known, 3), bitTest(flags_true, 3), NULL) AS Nullable(Bool)) AS is_overdue,
    CAST(if(bitTest(flags_known, 4), bitTest(flags_true, 4), NULL) AS Nullable(Bool)) AS is_partially_graded,
    CAST(if(bitTest(flags_known, 5), bitTest(flags_true, 5), NULL) AS Nullable(Bool)) AS is_submitted,
    CAST(if(bitTest(flags_known, 6), bitTest(flags_true, 6), NULL) AS Nullable(Bool)) AS passed,
    grade AS calculated_grade,
    completion_percentage,
    days_overdue_reported AS num_days_overdue,
    nullIf(created_at, toDateTime64(0, 3, 'UTC')) AS created_at,
    nullIf(updated_at, toDateTime64(0, 3, 'UTC')) AS updated_at,
    nullIf(completed_at, toDateTime64(0, 3, 'UTC')) AS completed_at,
    nullIf(due_date, toDateTime64(0, 3, 'UTC')) AS due_date,
    nullIf(reviewers_due_date, toDateTime64(0, 3, 'UTC')) AS reviewers_due_date,
    nullIf(first_viewed_at, toDateTime64(0, 3, 'UTC')) AS first_viewed_at,
    nullIf(last_viewed_at, toDateTime64(0, 3, 'UTC')) AS last_viewed_at,
    drift,
    arrayMap(
        bit -> arrayElement(
            [
                'created_not_new',
                'completed_event_without_completion',
                'status_completed_without_completion',
                'status_failed_with_completion',
                'on_time_without_completion',
                'on_time_after_due_date',
                'fully_and_partially_graded',
                'completed_at_without_completion',
                'days_overdue_without_overdue',
                'two_challenges'
            ],
            bit + 1
        ),
        bitPositionsToArray(contradictions)
    ) AS contradictions
-- FINAL is right here, unlike in signed tables: the key contains the event's id, and the engine keeps the first delivery of equal keys.
FROM rollcall.event_rows FINAL
COMMENT 'Every stored event once'
