-- Rows with their sort key. A row without a value gets a key that sorts last.
    SELECT
        *,
        toFloat64(toUnixTimestamp64Milli(created_at)) AS sort_key -- if by_created
        if(due_known, toFloat64(toUnixTimestamp64Milli(due_date)), {last_key:Float64}) AS sort_key -- if by_due
        if(overdue, toFloat64(days_after_due), {last_key:Float64}) AS sort_key -- if by_days_late
        if(class = 1, toFloat64(toUnixTimestamp64Milli(first_submitted_at)), {last_key:Float64}) AS sort_key -- if by_waiting
        if(bitAnd(state, 8200) = 8200, grade, {last_key:Float64}) AS sort_key -- if by_grade
        if(named.name_key = '', {last_key:String}, named.name_key) AS sort_key -- if by_person
    -- include rows-at -- unless by_person
    FROM -- if by_person
    ( -- if by_person
        SELECT * -- if by_person
        -- include rows-at -- if by_person
    ) AS signed -- if by_person
    LEFT JOIN -- if by_person
    ( -- if by_person
        SELECT user_id AS named_id, lowerUTF8(name) AS name_key -- if named -- if by_person
        SELECT user_id AS named_id, user_id AS name_key -- unless named -- if by_person
        FROM rollcall.people_at(as_of = {as_of:DateTime64(3, 'UTC')}, now = {now:DateTime64(3, 'UTC')}) -- if by_person
    ) AS named ON named.named_id = signed.user_id -- if by_person
