-- The scope of a question, for statements to include: everything of `toScopeParams`.
FROM rollcall.scope_at(
    as_of = {as_of:DateTime64(3, 'UTC')},
    now = {now:DateTime64(3, 'UTC')},
    time_zone = {time_zone:String},
    due_zone = {due_zone:String},
    due_end = {due_end:String},
    due_soon_days = {due_soon_days:UInt16},
    include_leavers = {include_leavers:Bool},
    challenge = {challenge:Array(String)},
    team = {team:Array(String)},
    user = {user:Array(String)},
    fact_mask = {fact_mask:UInt64},
    status_mask = {status_mask:UInt64},
    aging_mask = {aging_mask:UInt64},
    assigned_from = {assigned_from:UInt16},
    assigned_to = {assigned_to:UInt16},
    completed_from = {completed_from:UInt16},
    completed_to = {completed_to:UInt16},
    due_from = {due_from:UInt16},
    due_to = {due_to:UInt16}
)
-- The people under the given managers. Outside of the view, where it costs least to plan.
WHERE ({under:String} = '' OR user_id IN (SELECT arrayJoin(JSONExtract(materialize({under:String}), 'Array(String)'))))
    AND user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
