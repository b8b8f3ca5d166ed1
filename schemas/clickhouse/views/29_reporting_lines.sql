-- The analysts' contract: who reports directly to whom, and when, by ids alone. Indirect reports follow these lines, which may form a circle.
CREATE OR REPLACE VIEW rollcall.reporting_lines
(
    manager_id String COMMENT 'user.id of the manager as text',
    user_id String COMMENT 'user.id of the direct report as text',
    valid_from DateTime64(3, 'UTC') COMMENT 'From when; the epoch = always (the earliest statement applies to all time before)',
    valid_to DateTime64(3, 'UTC') COMMENT 'Until when, exclusive; 2200-01-01 = still valid',
    stated_at DateTime64(3, 'UTC') COMMENT 'When the platform first reported anything about the two'
) AS
SELECT manager_id, report_id AS user_id, valid_from, valid_to, stated_at
FROM rollcall.link_versions
WHERE is_there
GROUP BY manager_id, report_id, valid_from, valid_to, stated_at
HAVING sum(sign) > 0
COMMENT 'Direct reports through time; for a moment: valid_from <= moment AND valid_to > moment'
