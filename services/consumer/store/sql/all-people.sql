-- The people of one share about whom the store has anything.
SELECT DISTINCT user_id AS userId
FROM rollcall.user_observations
WHERE cityHash64(user_id) % {shares:UInt8} = {share:UInt8}
