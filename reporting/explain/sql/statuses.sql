SELECT each.1 AS status, each.2 AS count
FROM
(
    SELECT arrayJoin([
        ('completed', countIf(effective_status = 'completed')),
        ('failed', countIf(effective_status = 'failed')),
        ('awaiting_grading', countIf(effective_status = 'awaiting_grading')),
        ('overdue', countIf(effective_status = 'overdue')),
        ('in_progress', countIf(effective_status = 'in_progress')),
        ('not_started', countIf(effective_status = 'not_started'))
    ]) AS each
    FROM scope
)
