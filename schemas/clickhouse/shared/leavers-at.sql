-- The people who have left at an instant. A person's rows with equal images are equal in every column, so a condition may come before the signs are
-- added up.
SELECT user_id FROM rollcall.user_versions
WHERE NOT active AND valid_from <= {as_of:DateTime64(3, 'UTC')} AND valid_to > {as_of:DateTime64(3, 'UTC')}
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
GROUP BY user_id, img
HAVING sum(sign) > 0
