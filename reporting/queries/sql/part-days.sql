    -- Days, each as a number: from bit 16 on its kind, counted from 1 in the order of `dayKinds`. 0 = none.
    arrayConcat(
        [
            if(bitTest(state, 0), 65536, 131072) + toUInt16(toDate(created_at, {time_zone:String})),
            if(bitTest(state, 0) AND toUnixTimestamp64Milli(completed_at) != 0 AND completed_at <= as_of, 196608 + toUInt16(toDate(completed_at, {time_zone:String})), 0),
            if(bitTest(state, 3), 262144 + toUInt16(toDate(first_graded_at, {time_zone:String})), 0)
        ],
        arrayMap(span -> if(span.1 <= as_of_ms, 327680 + toUInt16(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 0), overdue),
        arrayMap((span, before) -> if(span.1 <= as_of_ms AND before.2 != span.1, 393216 + toUInt16(toDate(fromUnixTimestamp64Milli(span.1), {time_zone:String})), 0), overdue, arrayShiftRight(overdue, 1, (0::Int64, 0::Int64))),
        arrayMap(span -> if(span.2 <= as_of_ms, 458752 + toUInt16(toDate(fromUnixTimestamp64Milli(span.2), {time_zone:String})), 0), overdue)
    )
