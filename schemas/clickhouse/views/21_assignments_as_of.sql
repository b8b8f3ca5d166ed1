-- Printed by `npm run docs:data` from schemas/metrics/facts.ts and columns.ts.
-- The analysts' contract: what pages show at an instant, the assignments of people who were active then.
CREATE OR REPLACE VIEW rollcall.assignments_as_of AS
SELECT *
FROM rollcall.assignments_all_as_of(as_of = {as_of:DateTime64(3, 'UTC')}, due_zone = {due_zone:String}, due_end = {due_end:String}, due_soon_days = {due_soon_days:UInt16})
WHERE user_active
COMMENT 'Assignments of active people as they were at an instant, as pages show them. Parameters: as_of (DateTime64), due_zone (tz name; '''' = DUE_ZONE), due_end (end_of_day or instant; '''' = DUE_END), due_soon_days'
