-- Holds no names of people.
-- Which of these people have left.
SELECT user_id
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE user_id IN {users:Array(String)} AND NOT active
