-- Earlier erasures only marked names as NULL: the text stayed in the column under the mark, on disk and for assumeNotNull().
-- materialize() makes a column of empty texts under NULL; a literal NULL would leave them as they are.
ALTER TABLE rollcall.user_observations
    UPDATE
        name = if(isNull(name), materialize(CAST(NULL AS Nullable(String))), name),
        email = if(isNull(email), materialize(CAST(NULL AS Nullable(String))), email)
    WHERE (isNull(name) AND assumeNotNull(name) != '') OR (isNull(email) AND assumeNotNull(email) != '')
    SETTINGS mutations_sync = 2
