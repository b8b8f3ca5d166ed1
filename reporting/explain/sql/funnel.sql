SELECT each.1 AS stage, each.2 AS count
FROM
(
    SELECT arrayJoin([
        ('assigned', count()),
        ('viewed', countIf(viewed)),
        ('started', countIf(started)),
        ('submitted', countIf(submitted)),
        ('graded', countIf(graded)),
        ('passed', countIf(passed))
    ]) AS each
    FROM scope
)
