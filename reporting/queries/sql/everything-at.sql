-- Everybody's assignments at an instant, leavers included and whatever the filters, for statements to include.
FROM rollcall.scope_at(
    as_of = {as_of:DateTime64(3, 'UTC')},
    now = {now:DateTime64(3, 'UTC')},
    time_zone = {time_zone:String},
    due_zone = {due_zone:String},
    due_end = {due_end:String},
    due_soon_days = {due_soon_days:UInt16},
    include_leavers = true,
    challenge = [],
    team = [],
    user = [],
    fact_mask = 0,
    status_mask = 0,
    aging_mask = 0,
    assigned_from = 0,
    assigned_to = 65535,
    completed_from = 0,
    completed_to = 65535,
    due_from = 0,
    due_to = 65535
)
WHERE user_id IN (SELECT arrayJoin(JSONExtract(materialize({seen:String}), 'Array(String)'))) -- if seen
