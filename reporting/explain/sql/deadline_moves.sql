SELECT
    count() AS value,
    CAST((
        if(countIf(first_case IN ('in_time', 'late')) = 0, NULL, countIf(first_case = 'in_time') / countIf(first_case IN ('in_time', 'late'))),
        countIf(first_case = 'in_time'),
        countIf(first_case IN ('in_time', 'late')),
        map(
            'no_due_date', countIf(first_case = 'no_due_date'),
            'no_completion_time', countIf(first_case = 'no_completion_time'),
            'failed', countIf(first_case = 'failed'),
            'awaiting_grading', countIf(first_case = 'awaiting_grading'),
            'not_due_yet', countIf(first_case = 'not_due_yet')
        )
    ), 'Tuple(value Nullable(Float64), numerator UInt64, denominator UInt64, excluded Map(String, UInt64))') AS on_time_by_first,
    CAST((
        if(countIf(current_case IN ('in_time', 'late')) = 0, NULL, countIf(current_case = 'in_time') / countIf(current_case IN ('in_time', 'late'))),
        countIf(current_case = 'in_time'),
        countIf(current_case IN ('in_time', 'late')),
        map(
            'no_due_date', countIf(current_case = 'no_due_date'),
            'no_completion_time', countIf(current_case = 'no_completion_time'),
            'failed', countIf(current_case = 'failed'),
            'awaiting_grading', countIf(current_case = 'awaiting_grading'),
            'not_due_yet', countIf(current_case = 'not_due_yet')
        )
    ), 'Tuple(value Nullable(Float64), numerator UInt64, denominator UInt64, excluded Map(String, UInt64))') AS on_time_by_current
FROM
(
    SELECT
        multiIf(
            first_due_date IS NULL, 'no_due_date',
            completed AND completed_at IS NULL, 'no_completion_time',
            failed, 'failed',
            awaiting_grading, 'awaiting_grading',
            NOT completed AND due_key(first_due_date) >= due_key(as_of), 'not_due_yet',
            completed AND due_key(completed_at) <= due_key(first_due_date), 'in_time',
            'late'
        ) AS first_case,
        multiIf(
            due_date IS NULL, 'no_due_date',
            completed AND completed_at IS NULL, 'no_completion_time',
            failed, 'failed',
            awaiting_grading, 'awaiting_grading',
            NOT completed AND due_key(due_date) >= due_key(as_of), 'not_due_yet',
            completed AND due_key(completed_at) <= due_key(due_date), 'in_time',
            'late'
        ) AS current_case
    FROM scope
    WHERE deadline_moved
)
