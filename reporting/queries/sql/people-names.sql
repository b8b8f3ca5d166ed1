-- The names of a few people, as last sent; the reader is nobody's secret, though not among her own people.
SELECT user_id AS id, name -- if named
SELECT user_id AS id, user_id AS name -- unless named
FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
WHERE user_id IN {users:Array(String)}
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen_and_self:String}), 'Array(String)'))) -- if seen
