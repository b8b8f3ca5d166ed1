-- People of one share of all, of whom anything was said.
SELECT DISTINCT user_id AS userId
FROM rollcall.user_observations
WHERE cityHash64(user_id) % {shares:UInt8} = {share:UInt8}
