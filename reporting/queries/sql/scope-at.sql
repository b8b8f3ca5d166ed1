-- The scope of a question, for statements to include: everything of `toScopeParams`, with the filters that `toScopeFlags` finds given.
FROM
(
-- include scope-facts clock=as_of
)
-- The people under the given managers. Outside of the scope, where it costs least to plan.
WHERE ({under:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)'))))
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
