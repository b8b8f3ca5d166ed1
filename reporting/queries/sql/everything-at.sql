-- Everybody's assignments at an instant, leavers included and whatever the filters, for statements to include. `clock`: see scope-facts.sql.
FROM
(
-- include scope-facts only_assigned=never only_completed=never only_due=never only_challenge=never only_user=never only_team=never without_left=never only_facts=never
)
WHERE true
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
