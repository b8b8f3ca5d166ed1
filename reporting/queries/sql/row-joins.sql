LEFT JOIN (SELECT user_id, name, teams FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})) AS person ON person.user_id = row.person_id
-- include direct-managers
