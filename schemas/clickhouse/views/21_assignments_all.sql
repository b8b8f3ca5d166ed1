-- The analysts' contract: every assignment now, by the zones and the due end with which Rollcall was last started. Without
-- settings (before the first start): UTC and end_of_day.
CREATE OR REPLACE VIEW rollcall.assignments_all
(
-- include assignment-columns
) AS
SELECT *
FROM rollcall.assignments_all_as_of(
    as_of = now64(3, 'UTC'),
    due_zone = coalesce(nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_zone'), ''), 'UTC'),
    due_end = coalesce(nullIf((SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'due_end'), ''), 'end_of_day'),
    due_soon_days = 7
)
COMMENT 'Every assignment as it is now, also of people who have left, with the facts of METRICS.md'
