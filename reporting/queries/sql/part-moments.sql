    -- Waits and instants in ms. From bit 56 on the kind, in the order of `momentKinds`. Instants are 2^50 more than they are, so that none is
    -- negative. -1 = none.
    arrayConcat(
        [to_complete, to_grade, waiting],
        arrayMap(span -> if(span.1 > as_of_ms, 361413870096482304 + span.1, -1), overdue),
        arrayMap((span, before) -> if(span.1 > as_of_ms AND before.2 != span.1, 433471464134410240 + span.1, -1), overdue, arrayShiftRight(overdue, 1, (0::Int64, 0::Int64))),
        arrayMap(span -> if(span.2 > as_of_ms AND span.2 < {end_of_time:Int64}, 505529058172338176 + span.2, -1), overdue)
    )
