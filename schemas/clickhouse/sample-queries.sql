-- name: completion_by_challenge
-- How much of each challenge is completed?
SELECT
    challenge_id,
    any(challenge) AS title,
    countIf(completed) AS completed_assignments,
    count() AS assigned,
    round(completed_assignments / assigned, 3) AS completion_rate
FROM rollcall.assignments
GROUP BY challenge_id
ORDER BY completion_rate, challenge_id

-- name: completion_by_team
-- How much has each team completed? A person in two teams counts in both, so the teams do not add up to the total.
SELECT
    arrayJoin(teams) AS team_id,
    countIf(completed) AS completed_assignments,
    count() AS assigned,
    round(completed_assignments / assigned, 3) AS completion_rate
FROM rollcall.assignments
GROUP BY team_id
ORDER BY completion_rate, team_id

-- name: people_fully_complete
-- How many people have completed everything assigned to them?
SELECT
    countIf(is_complete) AS people_fully_complete,
    count() AS people,
    round(people_fully_complete / people, 3) AS rate
FROM
(
    SELECT user_id, min(completed) AS is_complete
    FROM rollcall.assignments
    WHERE user_id IS NOT NULL
    GROUP BY user_id
)

-- name: on_time_rate
-- What share was completed on time? What is not counted, and why? Due days end at midnight UTC. The first reason
-- that applies counts.
SELECT
    countIf(reason = '' AND completed_on_time) AS on_time,
    countIf(reason = '') AS judged,
    round(on_time / judged, 3) AS on_time_rate,
    countIf(reason = 'no_due_date') AS no_due_date,
    countIf(reason = 'no_completion_time') AS no_completion_time,
    countIf(reason = 'failed') AS failed_ones,
    countIf(reason = 'awaiting_grading') AS awaiting,
    countIf(reason = 'not_due_yet') AS not_due_yet
FROM
(
    SELECT
        completed_on_time,
        multiIf(
            due_date IS NULL, 'no_due_date',
            completed AND completed_at IS NULL, 'no_completion_time',
            failed, 'failed',
            awaiting_grading, 'awaiting_grading',
            NOT completed AND due_day >= toDate(now(), 'UTC'), 'not_due_yet',
            ''
        ) AS reason
    FROM rollcall.assignments
)

-- name: overdue_by_age
-- How many days are assignments overdue?
SELECT aging_bucket, count() AS overdue_assignments, uniqExact(user_id) AS people
FROM rollcall.assignments
WHERE overdue
GROUP BY aging_bucket
ORDER BY min(days_overdue)

-- name: longest_overdue_people
-- Who has the most overdue assignments, and for how long? Names are in the view people, if it is granted.
SELECT user_id, count() AS overdue_assignments, max(days_overdue) AS longest_days, groupArray(challenge) AS challenges
FROM rollcall.assignments
WHERE overdue
GROUP BY user_id
ORDER BY longest_days DESC, overdue_assignments DESC, user_id
LIMIT 50

-- name: due_in_the_next_14_days
-- Which open assignments are due in the next 14 days?
SELECT due_day, count() AS open_assignments, uniqExact(user_id) AS people, uniqExact(challenge_id) AS challenges
FROM rollcall.assignments
WHERE open AND NOT overdue AND due_date < now() + INTERVAL 14 DAY
GROUP BY due_day
ORDER BY due_day

-- name: grading_backlog
-- What waits for a grade, and for how long?
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS waiting,
    countIf(partially_graded) AS begun,
    round(quantileExactInclusive(0.5)(dateDiff('hour', first_seen_submitted, now64(3))) / 24, 1) AS median_days,
    countIf(reviewer_overdue) AS past_the_reviewers_date
FROM rollcall.assignments
WHERE awaiting_grading
GROUP BY challenge_id
ORDER BY waiting DESC, challenge_id

-- name: grades_by_challenge
-- Which challenges are hard? Graded assignments only: a missing grade is not a zero.
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS graded_assignments,
    round(countIf(passed) / graded_assignments, 3) AS pass_rate,
    quantileExactInclusive(0.5)(calculated_grade) AS median_grade
FROM rollcall.assignments
WHERE graded
GROUP BY challenge_id
HAVING graded_assignments >= 10
ORDER BY pass_rate, challenge_id

-- name: funnel
-- Where do people stop?
SELECT
    count() AS assigned,
    countIf(viewed) AS have_viewed,
    countIf(started) AS have_started,
    countIf(submitted) AS have_submitted,
    countIf(graded) AS have_been_graded,
    countIf(passed) AS have_passed
FROM rollcall.assignments

-- name: weekly_cohorts
-- Of the work assigned in each week, how much is completed by now? Weeks begin on Monday, in the zone given here.
SELECT
    toMonday(toDate(created_at, 'Europe/Berlin')) AS week,
    count() AS assigned,
    countIf(completed) AS completed_assignments
FROM rollcall.assignments
GROUP BY week
ORDER BY week

-- name: month_against_month
-- What were the numbers a month ago, as known then, and what are they now?
SELECT *
FROM
(
    SELECT 'a month ago' AS moment, count() AS assigned, countIf(completed) AS completed_assignments, countIf(overdue) AS overdue_assignments
    FROM rollcall.assignments_as_of(as_of = now64(3, 'UTC') - INTERVAL 1 MONTH, due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)
    UNION ALL
    SELECT 'now', count(), countIf(completed), countIf(overdue)
    FROM rollcall.assignments_as_of(as_of = now64(3, 'UTC'), due_zone = 'UTC', due_end = 'end_of_day', due_soon_days = 7)
)
ORDER BY moment

-- name: days_to_complete
-- How long did completed assignments take? Open ones are not counted here, so new challenges look faster than they
-- are. The metric time_to_complete of the API counts them as censored.
SELECT
    challenge_id,
    any(challenge) AS title,
    count() AS completed_assignments,
    round(quantileExactInclusive(0.5)(greatest(dateDiff('hour', created_at, completed_at), 0)) / 24, 1) AS median_days,
    round(quantileExactInclusive(0.9)(greatest(dateDiff('hour', created_at, completed_at), 0)) / 24, 1) AS p90_days
FROM rollcall.assignments
WHERE completed AND completed_at IS NOT NULL AND NOT created_at_assumed
GROUP BY challenge_id
ORDER BY median_days DESC, challenge_id

-- name: moved_due_dates
-- Which due dates were moved, and by how much?
SELECT assignment_id, user_id, challenge_id, first_due_date, due_date, dateDiff('day', first_due_date, due_date) AS days_later
FROM rollcall.assignments
WHERE deadline_moved
ORDER BY abs(days_later) DESC, assignment_id
LIMIT 100

-- name: platform_disagrees
-- Where does the platform’s own overdue flag differ from the dates? It is as old as the last event.
SELECT is_overdue AS platform_says, overdue AS dates_say, count() AS assignments
FROM rollcall.assignments
WHERE reported_mismatch
GROUP BY platform_says, dates_say
ORDER BY assignments DESC

-- name: open_work_of_people_who_left
-- What is still open for people who left? The dashboards do not count it.
SELECT user_id, count() AS open_assignments, max(due_date) AS last_due
FROM rollcall.assignments_all
WHERE NOT user_active AND open
GROUP BY user_id
ORDER BY open_assignments DESC, user_id
LIMIT 100

-- name: history_of_one_assignment
-- What happened to one assignment? Here: the one with the latest event.
SELECT event_time, event_type, status, completion_percentage, is_submitted, is_fully_graded, calculated_grade, due_date, received_at, source
FROM rollcall.events
WHERE assignment_id = (SELECT argMax(assignment_id, event_time) FROM rollcall.events WHERE recognised)
ORDER BY
    event_time,
    ifNull(updated_at, toDateTime64(0, 3, 'UTC')),
    type_order,
    event_id

-- name: webhook_delay
-- How late do webhooks arrive? By hour of the last week with any.
SELECT
    toStartOfHour(received_at) AS hour,
    count() AS events,
    quantile(0.5)(date_diff('second', event_time, received_at)) AS median_delay_s,
    quantile(0.99)(date_diff('second', event_time, received_at)) AS p99_delay_s
FROM rollcall.events
WHERE received_at > now() - INTERVAL 7 DAY
GROUP BY hour
ORDER BY hour

-- name: ledger_by_day
-- How many webhooks of each day were stored, repeated or failed? For the total: SELECT * FROM rollcall.ledger_total.
SELECT
    toDate(hour) AS day,
    source,
    sum(l.stored) AS stored_events,
    sum(l.repeated) AS repeats,
    sum(l.failed) AS unusable
FROM rollcall.ledger AS l
GROUP BY day, source
ORDER BY day, source

-- name: rejected_by_reason
-- Why could webhooks not be read?
SELECT arrayJoin(reasons) AS reason, count() AS deliveries, min(received_at) AS first, max(received_at) AS last
FROM rollcall.failed_events
GROUP BY reason
ORDER BY deliveries DESC, reason

-- name: unexpected_fields
-- Which fields does the platform send differently from its specification?
SELECT arrayJoin(drift) AS field, event_type, count() AS events, max(event_time) AS last_seen
FROM rollcall.events
GROUP BY field, event_type
ORDER BY events DESC, field, event_type

-- name: guides_by_team
-- How far is each team with its guides? A person in two teams counts in both.
SELECT
    arrayJoin(u.teams) AS team_id,
    any(g.title) AS title,
    a.guide_id AS guide_id,
    count() AS assigned,
    countIf(a.completed) AS completed_assignments
FROM rollcall.guide_assignments AS a
INNER JOIN rollcall.users AS u ON u.user_id = a.user_id
LEFT JOIN rollcall.guides AS g ON g.guide_id = a.guide_id
WHERE NOT a.deleted AND NOT a.archived AND u.active
GROUP BY team_id, guide_id
ORDER BY team_id, guide_id
