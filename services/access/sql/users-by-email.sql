-- Who has this e-mail now; two people with one e-mail are nobody.
SELECT user_id
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE lowerUTF8(email) = {email:String} AND email != '' AND user_id != ''
LIMIT 2
