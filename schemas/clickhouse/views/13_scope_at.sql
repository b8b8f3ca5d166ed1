-- Building block. What METRICS.md calls "in scope at T": not deleted, the person active unless leavers are asked for, and
-- every filter. An empty list, an empty date or a false flag = not given. Still signed.
CREATE OR REPLACE VIEW rollcall.scope_at AS
SELECT *
FROM rollcall.facts_at(
    as_of = {as_of:DateTime64(3, 'UTC')},
    due_zone = {due_zone:String},
    due_end = {due_end:String},
    due_soon_days = {due_soon_days:UInt16}
)
WHERE ({include_leavers:Bool} OR user_id NOT IN (
        SELECT user_id FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) WHERE NOT active
    ))
    AND (empty({challenge:Array(String)}) OR challenge_id IN {challenge:Array(String)})
    AND (empty({user:Array(String)}) OR user_id IN {user:Array(String)})
    AND (empty({team:Array(String)}) OR user_id IN (
        SELECT user_id FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')})
        WHERE hasAny(teams, {team:Array(String)}) AND user_id != ''
    ))
    AND (empty({status:Array(String)}) OR effective_status IN {status:Array(String)})
    AND (empty({aging:Array(String)}) OR aging_bucket IN {aging:Array(String)})
    AND (empty({fact:Array(String)}) OR
        (has({fact:Array(String)}, 'completed') AND bitTest(state, 0))
        OR (has({fact:Array(String)}, 'failed') AND bitTest(state, 1))
        OR (has({fact:Array(String)}, 'submitted') AND bitTest(state, 2))
        OR (has({fact:Array(String)}, 'graded') AND bitTest(state, 3))
        OR (has({fact:Array(String)}, 'awaiting_grading') AND class = 1)
        OR (has({fact:Array(String)}, 'open') AND class = 0)
        OR (has({fact:Array(String)}, 'overdue') AND overdue)
        OR (has({fact:Array(String)}, 'reviewer_overdue') AND reviewer_overdue)
        OR (has({fact:Array(String)}, 'due_soon') AND due_soon)
        OR (has({fact:Array(String)}, 'completed_on_time') AND completed_on_time)
        OR (has({fact:Array(String)}, 'deadline_moved') AND bitTest(state, 18))
        OR (has({fact:Array(String)}, 'reported_mismatch') AND reported_mismatch)
    )
    AND ({assigned_from:String} = '' OR toDate(created_at, {time_zone:String}) >= toDateOrZero({assigned_from:String}))
    AND ({assigned_to:String} = '' OR toDate(created_at, {time_zone:String}) <= toDateOrZero({assigned_to:String}))
    AND ({completed_from:String} = '' OR (bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0 AND toDate(completed_at, {time_zone:String}) >= toDateOrZero({completed_from:String})))
    AND ({completed_to:String} = '' OR (bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0 AND toDate(completed_at, {time_zone:String}) <= toDateOrZero({completed_to:String})))
    AND ({due_from:String} = '' OR due_day >= toDateOrZero({due_from:String}))
    AND ({due_to:String} = '' OR due_day <= toDateOrZero({due_to:String}))
COMMENT 'Signed states in scope (METRICS.md, In scope at T): as of an instant, after every filter; a building block'
