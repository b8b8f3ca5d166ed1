-- Who may have this e-mail now. The Kelvin sign folds to a k here, so the caller compares as logins are compared.
SELECT user_id, ifNull(email, '') AS address
FROM rollcall.people_at(as_of = {now:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE lowerUTF8(email) = {email:String} AND email != '' AND user_id != ''
LIMIT 100
