-- The logins that were entered for a person by id, or that the sign-in said.
SELECT DISTINCT login FROM rollcall.access_people WHERE user_id = {user:String}
UNION DISTINCT
SELECT DISTINCT login FROM rollcall.digest_subscriptions WHERE user_id = {user:String}
