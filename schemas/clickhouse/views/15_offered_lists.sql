-- Which lists the platform offers. A 404 for a guide's assignments means the guide where other guides' were listed within two days: the
-- daily pull asks for each.
CREATE OR REPLACE VIEW rollcall.offered_lists
(
    list String COMMENT 'users, guides, guide_assignments or changed_guide_assignments',
    path String COMMENT 'Path of the platform, without ids and query',
    is_offered Bool COMMENT 'Whether the platform offers it, by its last answers',
    answered_at DateTime64(3, 'UTC') COMMENT 'When it answered last; the epoch = never',
    refused_at DateTime64(3, 'UTC') COMMENT 'When it was last answered by 404 or 405; the epoch = never'
) AS
SELECT
    toString(list) AS list,
    path,
    toBool(last_answered_at >= last_not_allowed_at
        AND last_answered_at + toIntervalDay(if(list = 'guide_assignments', 2, 0)) >= last_not_found_at) AS is_offered,
    last_answered_at AS answered_at,
    greatest(last_not_allowed_at, last_not_found_at) AS refused_at
FROM
(
    SELECT
        entry.list AS list,
        entry.path AS path,
        max(entry.answered_at) AS last_answered_at,
        max(entry.not_found_at) AS last_not_found_at,
        max(entry.not_allowed_at) AS last_not_allowed_at
    FROM rollcall.platform_lists AS entry
    GROUP BY entry.list, entry.path
)
COMMENT 'Which lists the platform offers; a building block'
