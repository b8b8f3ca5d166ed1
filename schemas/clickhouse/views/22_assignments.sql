-- The analysts' contract: what pages show now, the assignments of people who are active.
CREATE OR REPLACE VIEW rollcall.assignments
(
-- include assignment-columns
) AS
SELECT *
FROM rollcall.assignments_all
WHERE user_active
COMMENT 'Assignments of active people as they are now, as pages show them'
