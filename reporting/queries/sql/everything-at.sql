-- Everybody's assignments at an instant, leavers included and whatever the filters, for statements to include.
FROM
(
-- include scope-facts only_assigned=never only_completed=never only_due=never only_challenge=never only_user=never only_team=never without_left=never only_facts=never
)
WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
