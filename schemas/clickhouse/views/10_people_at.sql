-- Building block. The people as of an instant, one row each, for joins and to exclude leavers. Teams that were named
-- only after both the instant and now do not count, nor do attributes that are not allowed any more.
CREATE OR REPLACE VIEW rollcall.people_at AS
SELECT
    user_id,
    any(version.active) AS active,
    any(version.is_deleted) AS is_deleted,
    any(version.is_permanently_deleted) AS is_permanently_deleted,
    if(any(version.teams_seen_at) <= greatest({as_of:DateTime64(3, 'UTC')}, {now:DateTime64(3, 'UTC')}), any(version.teams), []) AS teams,
    mapFilter((attribute, _) -> has(splitByChar(',', (SELECT argMax(value, set_at) FROM rollcall.settings WHERE name = 'user_attributes')), attribute)
        AND any(version.attributes_seen_at) <= greatest({as_of:DateTime64(3, 'UTC')}, {now:DateTime64(3, 'UTC')}), any(version.attributes)) AS user_attributes,
    any(version.name) AS name,
    any(version.email) AS email
FROM rollcall.user_versions AS version
WHERE valid_from <= {as_of:DateTime64(3, 'UTC')} AND valid_to > {as_of:DateTime64(3, 'UTC')}
GROUP BY user_id, img
HAVING sum(sign) > 0
COMMENT 'People as of an instant (parameters as_of, now); a building block'
