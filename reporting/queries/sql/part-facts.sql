        -- The bits of statements/blocks.ts that do not depend on T, and bit 47 where the first due date is another than the present one. The days that decide
        -- the other facts: due day, 16 bits; first due day where it is another, 16 bits; reviewers' due day where a grade is awaited.
        toUInt64(bitAnd(state, 16777215))
        + bitShiftLeft(toUInt64(
            8 * due_known + 16 * first_due_known + 32 * reviewers_due_known + 64 * completed_known + 128 * (class = 0) + 256 * (class = 1)
        ), 24)
        + bitShiftLeft(toUInt64(
            4 * (completed_known AND due_known AND completed_key <= due_key)
            + 8 * (completed_known AND first_due_known AND completed_key <= first_due_key)
            + 16 * (due_known AND toUnixTimestamp64Milli(first_submitted_at) != 0 AND toDate(first_submitted_at, {due_zone:String}) <= due_key)
            + 32 * (reviewers_due_known AND toUnixTimestamp64Milli(first_graded_at) != 0 AND toDate(first_graded_at, {due_zone:String}) <= reviewers_due_key)
            + 2048 * (first_due_known AND first_due_date != due_date)
        ), 36) AS bits,
        if(due_known, toUInt64(toUInt16(due_key)), 0)
        + if(first_due_known AND first_due_date != due_date, 65536 * toUInt64(toUInt16(first_due_key)), 0)
        + if(reviewers_due_known AND class = 1, 4294967296 * toUInt64(toUInt16(reviewers_due_key)), 0) AS days,
