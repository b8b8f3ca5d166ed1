-- Whether the platform says that this person has left.
SELECT user_id
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE user_id = {user:String} AND NOT active
LIMIT 1
