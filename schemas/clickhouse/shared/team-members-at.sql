-- The members of the given teams at an instant. Teams reported only after both the instant and now do not count.
SELECT user_id FROM rollcall.user_versions
WHERE valid_from <= {as_of:DateTime64(3, 'UTC')} AND valid_to > {as_of:DateTime64(3, 'UTC')} AND hasAny(teams, {team:Array(String)}) AND user_id != ''
    AND (active OR {include_leavers:Bool}) AND teams_seen_at <= greatest({as_of:DateTime64(3, 'UTC')}, {now:DateTime64(3, 'UTC')})
GROUP BY user_id, img
HAVING sum(sign) > 0
