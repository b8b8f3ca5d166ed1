        any((
            assignment_id, toString(user_id), toString(challenge_id), toString(status), facts, life,
            arrayMap(time -> toUnixTimestamp64Milli(time), [
                created_at, updated_at, first_viewed_at, last_viewed_at, completed_at, due_date, first_due_date, reviewers_due_date,
                first_submitted_at, first_graded_at
            ]),
            due_day, days_after_due, grade, completion_percentage, days_overdue_reported
        )) AS assignment,
        assignment.2 AS person_id,
        assignment.3 AS challenge_key,
        any(sort_key) AS row_key
