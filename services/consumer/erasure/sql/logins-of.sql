-- The logins that were entered for a person by id.
SELECT DISTINCT login FROM rollcall.access_people WHERE user_id = {user:String}
